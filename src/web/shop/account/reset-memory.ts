/** The address and code between the three screens of a password reset: kept in memory only, and gone with the page. */
export const resetMemory = { email: '', otp: '' };
