/** Labels by which several test files find the same control. */
export const MEMBER_NAME = "Member name";
export const WRITE_FILE = "Save changes";
