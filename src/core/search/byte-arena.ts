/** Bytes of one block; a record never spans two. */
const blockBits = 22;
const blockSize = 1 << blockBits;
const inBlock = blockSize - 1;

/**
 * Records of variable-length numbers, kept in large blocks: growing copies nothing, and a million records are a few
 * objects. A record is at most 4 MiB long; all of them together at most 4 GiB.
 */
export class ByteArena {
  readonly blocks: Uint8Array[] = [];
  /** Where the next record starts. */
  end = 0;
  private block: Uint8Array = new Uint8Array(0);
  private at = 0;

  /** An arena that holds exactly these bytes, as `whole` gave them; it goes on using them. */
  static of(bytes: Uint8Array): ByteArena {
    const arena = new ByteArena();
    for (let at = 0; at < bytes.length; at += blockSize)
      arena.blocks.push(bytes.subarray(at, at + blockSize));
    arena.end = bytes.length;
    return arena;
  }

  /** All records in one piece. */
  whole(): Uint8Array {
    const bytes = new Uint8Array(this.end);
    for (const [place, block] of this.blocks.entries())
      bytes.set(block.subarray(0, this.end - place * blockSize), place * blockSize);
    return bytes;
  }

  /** Starts a record of at most `most` bytes; returns its offset. */
  open(most: number): number {
    const room = this.blocks[this.end >>> blockBits]?.length ?? 0;
    if ((this.end & inBlock) + most > room) {
      this.end = this.blocks.length * blockSize;
      this.blocks.push(new Uint8Array(blockSize));
    }
    this.block = this.blocks[this.end >>> blockBits] as Uint8Array;
    this.at = this.end & inBlock;
    return this.end;
  }

  /** Adds a whole number from 0 to 2^31 - 1 to the open record. */
  put(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.block[this.at++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.block[this.at++] = rest;
  }

  close(): void {
    this.end = (this.end >>> blockBits) * blockSize + this.at;
  }

  /** Adds a copy of a record of another arena; returns its offset. */
  copy(record: Uint8Array): number {
    const start = this.open(record.length);
    this.block.set(record, this.at);
    this.at += record.length;
    this.close();
    return start;
  }

  /** The bytes from an offset to the end of its block. */
  from(offset: number): Uint8Array {
    return (this.blocks[offset >>> blockBits] as Uint8Array).subarray(offset & inBlock);
  }
}

/** Reads the numbers of a record one after the other. */
export class ByteReader {
  private bytes: Uint8Array = new Uint8Array(0);
  at = 0;

  open(arena: ByteArena, offset: number): void {
    this.bytes = arena.blocks[offset >>> blockBits] as Uint8Array;
    this.at = offset & inBlock;
  }

  next(): number {
    let byte = this.bytes[this.at++] as number;
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let shift = 7; ; shift += 7) {
      byte = this.bytes[this.at++] as number;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  }
}
