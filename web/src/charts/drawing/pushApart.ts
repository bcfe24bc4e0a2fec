/**
 * Moves label positions apart to a minimum pitch, as little as possible in the sense of least squares (pool adjacent
 * violators), and keeps them within [top, bottom] where there is room. Order by wanted position is kept.
 */
export function pushApart(wanted: readonly number[], pitch: number, top: number, bottom: number): number[] {
  const order = wanted
    .map((_, i) => i)
    .sort((a, b) => (wanted[a] as number) - (wanted[b] as number) || a - b);
  // Subtracting i * pitch turns "at least one pitch apart" into "not decreasing".
  const blocks: { sum: number; count: number }[] = [];
  order.forEach((label, i) => {
    let block = { sum: (wanted[label] as number) - i * pitch, count: 1 };
    for (let previous = blocks.at(-1); previous; previous = blocks.at(-1)) {
      if (previous.sum / previous.count <= block.sum / block.count) break;
      block = { sum: previous.sum + block.sum, count: previous.count + block.count };
      blocks.pop();
    }
    blocks.push(block);
  });
  const lowest = bottom - (wanted.length - 1) * pitch;
  const result = new Array<number>(wanted.length).fill(0);
  let i = 0;
  for (const block of blocks) {
    const level = Math.max(top, Math.min(lowest, block.sum / block.count));
    for (let k = 0; k < block.count; k++, i++) result[order[i] as number] = level + i * pitch;
  }
  return result;
}
