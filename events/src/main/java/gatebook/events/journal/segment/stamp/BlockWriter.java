package gatebook.events.journal.segment.stamp;

import gatebook.events.journal.segment.file.CompressedBlock;
import gatebook.events.journal.segment.file.RandomSpan;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.Deflater;

/**
 * Writes texts as compressed blocks, in the format of {@link CompressedBlock}. It uses its buffers
 * again for each of them, and belongs to one thread.
 */
public final class BlockWriter implements AutoCloseable {
  /** Of the levels that were measured, the last one that gains more than a hundredth. */
  private static final int LEVEL = 6;

  private final Deflater deflater = new Deflater(LEVEL, true);
  private final ByteBuffer places;
  private final ByteBuffer rest;
  private final ByteBuffer packed;
  private final ByteBuffer inflated;
  private final ByteBuffer block;

  /**
   * @param textBytesMax no text is longer
   */
  public BlockWriter(int textBytesMax) {
    int spansMax = textBytesMax / RandomSpan.HASH_BYTES;
    this.places = ByteBuffer.allocate(2 * CompressedBlock.NUMBER_BYTES_MAX * spansMax);
    this.rest = ByteBuffer.allocate(textBytesMax);
    this.packed = ByteBuffer.allocate(textBytesMax);
    this.inflated = ByteBuffer.allocate(CompressedBlock.NUMBER_BYTES_MAX + textBytesMax);
    this.block = ByteBuffer.allocate(1 + textBytesMax);
  }

  /**
   * The block with a text, until the next one is written.
   *
   * @param textAt where the text begins in its segment
   * @param spans those that are whole in the text, in their order
   */
  public ByteBuffer block(byte[] text, long textAt, List<RandomSpan> spans) {
    places.clear();
    rest.clear();
    packed.clear();
    int at = 0;
    int count = 0;
    for (RandomSpan span : spans) {
      int from = (int) (span.at() - textAt);
      if (from >= at && span.kind().pack(ByteBuffer.wrap(text, from, span.bytes()), packed)) {
        putNumber(CompressedBlock.place(from - at, span.kind()), places);
        if (span.kind() == RandomSpan.Kind.BASE64) {
          putNumber(span.bytes() / RandomSpan.GROUP_TEXT_BYTES, places);
        }
        rest.put(text, at, from - at);
        at = from + span.bytes();
        count++;
      }
    }
    rest.put(text, at, text.length - at);
    inflated.clear();
    putNumber(count, inflated);
    inflated.put(places.flip()).put(rest.flip()).flip();
    return deflatedOrPlain(text);
  }

  private ByteBuffer deflatedOrPlain(byte[] text) {
    block.clear().limit(1 + text.length);
    packed.flip();
    int room = block.limit() - CompressedBlock.HEAD_BYTES - packed.remaining();
    int length = inflated.limit();
    int deflated = room <= 0 ? 0 : deflate(room);
    if (deflated == 0) {
      return block.put(CompressedBlock.PLAIN).put(text).flip();
    }
    block.put(CompressedBlock.DEFLATED).putInt(deflated).putInt(length);
    return block.position(CompressedBlock.HEAD_BYTES + deflated).put(packed).flip();
  }

  /** How many bytes were written behind the head; 0 when there is no room for all. */
  private int deflate(int room) {
    deflater.reset();
    deflater.setInput(inflated);
    deflater.finish();
    int length = deflater.deflate(block.array(), CompressedBlock.HEAD_BYTES, room);
    return deflater.finished() ? length : 0;
  }

  private static void putNumber(int number, ByteBuffer into) {
    int left = number;
    while (left >= 0x80) {
      into.put((byte) (left | 0x80));
      left >>>= 7;
    }
    into.put((byte) left);
  }

  @Override
  public void close() {
    deflater.close();
  }
}
