/** The refusal of a code that nobody made. Browsers know it by these words, and do not send the code again. */
export const UNKNOWN_CODE = 'We don’t know this code. Please check its spelling.';
