/** Clearance for a "fits", in millimetres: tape error, packaging and fingers. Less is "tight". Our own choice. */
export const PLAY = 20;

/** The height of a standard door in the UK, in millimetres. */
export const STANDARD_DOOR_HEIGHT = 1_980;
