import { checkClaims } from "./claims.ts";

checkClaims(2);
