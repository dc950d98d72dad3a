/** Labels by which several test files find the same control. */
export const MEMBER_NAME = "Name of the member";
export const WRITE_FILE = "Save changes";
