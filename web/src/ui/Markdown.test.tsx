// @vitest-environment happy-dom
import { render } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { Markdown } from "./Markdown.tsx";

const html = (text: string) => render(<Markdown text={text} />).container.innerHTML;

describe("Markdown", () => {
  it("has paragraphs with what is marked in them", () => {
    expect(html("*Fig. 9: α of `g`.*\n\nOne line\nand **another**.")).toBe(
      '<div class="markdown"><p><em>Fig. 9: α of <code>g</code>.</em></p><p>One line and <b>another</b>.</p></div>',
    );
  });

  it("has tables and lists", () => {
    const text = "| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n- two\n  lines";
    expect(html(text)).toContain("<tr><td>1</td><td>2</td></tr>");
    expect(html(text)).toContain("<ul><li>one</li><li>two\n  lines</li></ul>");
  });

  it("follows links to other sites alone", () => {
    expect(html("[A](https://example.org/a) [B](#b) [C](javascript:alert(1))")).toBe(
      '<div class="markdown"><p><a href="https://example.org/a" rel="noopener noreferrer" target="_blank">A</a> B C)</p></div>',
    );
  });

  it("has headings of two levels, and fences with what is in them as it is", () => {
    expect(html("# A\n\n## B\ntext before\n```sh\na  *b*\n\nc\n```\n\nafter")).toBe(
      '<div class="markdown"><h3>A</h3><h4>B</h4><p>text before</p><pre>a  *b*\n\nc</pre><p>after</p></div>',
    );
    expect(html("```\nleft open\n\nafter")).toBe(
      '<div class="markdown"><p>``` left open</p><p>after</p></div>',
    );
  });

  it("shows markup of other kinds as it is", () => {
    expect(html("<img src=x onerror=alert(1)> 3 * 4 * 5")).toBe(
      '<div class="markdown"><p>&lt;img src=x onerror=alert(1)&gt; 3 * 4 * 5</p></div>',
    );
  });
});
