import { v7, validate } from 'uuid';

/** UUIDv7, which grows with time, so that new rows are neighbours in each index. */
export const newId = (): string => v7();

/** Any other text is an unknown id; PostgreSQL would raise an error for it. */
export const isId = (text: string): boolean => validate(text);
