export { NO_OFFERS } from "../../testing/samples";
