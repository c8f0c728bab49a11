// The vectors of an index, for searchers that are not this project's.

/** Unit vectors as the index holds them, and the bytes of its codes, from the files of kind "vectors". */
export function readVectors(files, dims, passages) {
  const vectors = new Float32Array(passages * dims);
  const codes = new Int8Array(passages * dims);
  let row = 0;
  for (const bytes of files) {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const count = view.getUint32(12, true);
    const start = 24 + 4 * count;
    codes.set(new Int8Array(bytes.buffer, bytes.byteOffset + start, count * dims), row * dims);
    for (let at = 0; at < count; at += 1) {
      const scale = view.getFloat32(24 + 4 * at, true);
      for (let d = 0; d < dims; d += 1) vectors[(row + at) * dims + d] = scale * codes[(row + at) * dims + d];
    }
    row += count;
  }
  return { vectors, codes };
}

/** A plain loop over float32, keeping the ten best by insertion. */
export function plainLoop(vectors, dims, passages) {
  return (query) => {
    const scores = new Float32Array(10).fill(-2);
    const ids = new Uint32Array(10);
    for (let row = 0; row < passages; row += 1) {
      let sum = 0;
      const start = row * dims;
      for (let d = 0; d < dims; d += 1) sum += vectors[start + d] * query[d];
      if (sum <= scores[9]) continue;
      let place = 9;
      for (; place > 0 && scores[place - 1] < sum; place -= 1) {
        scores[place] = scores[place - 1];
        ids[place] = ids[place - 1];
      }
      scores[place] = sum;
      ids[place] = row;
    }
    return Array.from(ids);
  };
}
