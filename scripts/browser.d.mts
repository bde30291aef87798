export declare function findBrowser(): Promise<{ executablePath: string; env: Record<string, string> }>;
