// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { Markup, plain } from "./Markup.tsx";

const html = (text: string) => render(<Markup text={text} />).container.innerHTML;

describe("the text of a lesson", () => {
  afterEach(cleanup);

  it("has paragraphs between blank lines, and lines that go on", () => {
    expect(html("One\ngoes on.\n\nTwo.")).toBe("<p>One goes on.</p><p>Two.</p>");
  });

  it("has lists, also right below a paragraph", () => {
    expect(html("Look:\n- at this\n  closely\n- at that")).toBe(
      "<p>Look:</p><ul><li>at this closely</li><li>at that</li></ul>",
    );
  });

  it("has what is bold, with symbols in it, and symbols alone", () => {
    expect(html("**Whoever sets *K*** sets *w*, not 2 * 3 * 4.")).toBe(
      '<p><b>Whoever sets <i class="sign">K</i></b> sets <i class="sign">w</i>, not 2 * 3 * 4.</p>',
    );
  });

  it("shows what looks like a tag as text", () => {
    expect(html("a <b>tag</b>")).toBe("<p>a &lt;b&gt;tag&lt;/b&gt;</p>");
  });

  it("loses its marks where text alone can stand", () => {
    expect(plain("**Why** not make *K* tiny?")).toBe("Why not make K tiny?");
  });
});
