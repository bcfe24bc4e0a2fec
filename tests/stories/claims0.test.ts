import { checkClaims } from "./claims.ts";

checkClaims(0);
