import { v7, validate } from 'uuid';

/** A key that grows with time, so that new rows stand together in every index. */
export const newId = (): string => v7();

/** Any other text names nothing: asking the database for it would be an error instead of "unknown". */
export const isId = (text: string): boolean => validate(text);
