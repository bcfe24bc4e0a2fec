import { expect, it } from "vitest";
import { frameHtml } from "./frameHtml.ts";

it("a frame carries any name as text, and its address as it is", () => {
  const html = frameHtml("https://host.invalid/?embed&lock#2.abc", 'K "large" <b> & small');
  const frame = /^<iframe src="([^"]*)" title="([^"<>]*)" [^<>]*><\/iframe>$/.exec(html);
  expect(frame?.slice(1)).toEqual([
    "https://host.invalid/?embed&amp;lock#2.abc",
    "K &quot;large&quot; &lt;b&gt; &amp; small",
  ]);
});
