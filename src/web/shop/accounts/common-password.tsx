/** The commonest passwords of 8 or more characters, in lower case, one a line (`vite.config.ts`). */
declare const COMMON_PASSWORDS: string;

const COMMON = new Set(COMMON_PASSWORDS.split('\n'));

/** Advises against one of the commonest passwords. It can be chosen all the same: the specification allows any of 8 characters (§13.1). */
export function CommonPassword({ password }: { password: string }) {
  return (
    COMMON.has(password.normalize('NFKC').toLowerCase()) && (
      <span role="status" className="block font-medium text-ink">
        This is one of the most common passwords, so it is easy to guess. We recommend another.
      </span>
    )
  );
}
