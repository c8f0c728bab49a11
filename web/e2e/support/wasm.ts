/** The WebAssembly section that says how much memory a module asks for. */
const MEMORY_SECTION = 5;

/** Size of a page of WebAssembly memory, in bytes. */
export const PAGE_BYTES = 65_536;

/** A module that may have only so many pages of memory beyond those it begins with, as on a device that has no more. */
export function withMemoryFor(program: Buffer, pages: number): Buffer {
  let at = 8;
  while (at < program.length) {
    const id = program.readUInt8(at);
    const size = readNumber(program, at + 1);
    const end = size.end + size.value;
    if (id === MEMORY_SECTION) {
      // One memory: its flags, and its first size; a most is put in place of whatever it had.
      const first = readNumber(program, size.end + 2);
      const body = Buffer.from([1, 1, ...writeNumber(first.value), ...writeNumber(first.value + pages)]);
      return Buffer.concat([program.subarray(0, at), Buffer.from([MEMORY_SECTION, ...writeNumber(body.length)]), body, program.subarray(end)]);
    }
    at = end;
  }
  throw new Error("the module has no memory of its own");
}

/** Reads an unsigned number of seven bits a byte. */
function readNumber(bytes: Buffer, at: number): { value: number; end: number } {
  let value = 0;
  for (let place = 0; ; place += 1) {
    const byte = bytes.readUInt8(at + place);
    value += (byte & 0x7f) * 2 ** (7 * place);
    if (byte < 0x80) return { value, end: at + place + 1 };
  }
}

function writeNumber(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...writeNumber(Math.floor(value / 0x80))];
}
