/** The version of the engine, which page, command line and packages have as well. */
export { VERSION } from "../../generated/version.ts";
