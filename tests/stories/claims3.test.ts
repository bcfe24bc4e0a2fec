import { checkClaims } from "./claims.ts";

checkClaims(3);
