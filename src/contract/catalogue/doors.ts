/** How much wider than the piece an opening must be for us to say that it fits, in millimetres: tape error, packaging, fingers. With less it is "tight". */
export const CLEARANCE = 20;

/** The height of a standard door in the UK, in millimetres. */
export const STANDARD_DOOR_HEIGHT = 1_980;
