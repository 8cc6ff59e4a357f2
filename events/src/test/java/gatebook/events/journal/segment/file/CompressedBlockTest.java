package gatebook.events.journal.segment.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.segment.stamp.Base64Spans;
import gatebook.events.journal.segment.stamp.BlockWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class CompressedBlockTest {
  private static final long TEXT_AT = 4_096;

  /** The writer of all blocks of a test. */
  private final BlockWriter writer = new BlockWriter(16_384);

  private byte[] block(byte[] text, List<RandomSpan> spans) {
    ByteBuffer block = writer.block(text, TEXT_AT, spans);
    byte[] bytes = new byte[block.remaining()];
    block.get(bytes);
    return bytes;
  }

  private static byte[] text(byte[] block, int length) {
    byte[] text = new byte[length + 2];
    assertThat(CompressedBlock.read(ByteBuffer.wrap(block), text, 1, length)).isTrue();
    return Arrays.copyOfRange(text, 1, length + 1);
  }

  @Test
  void aTextIsReadAsItWas() {
    for (int round = 0; round < 200; round++) {
      Random random = new Random(round);
      StringBuilder text = new StringBuilder();
      List<RandomSpan> spans = new ArrayList<>();
      for (int part = 0; part < random.nextInt(40); part++) {
        text.append("{\"n\":1}".repeat(random.nextInt(30)));
        long at = TEXT_AT + text.length();
        switch (random.nextInt(4)) {
          case 0 -> {
            spans.add(new RandomSpan(at, RandomSpan.UUID_BYTES, RandomSpan.Kind.UUID));
            String id = new UUID(random.nextLong(), random.nextLong()).toString();
            text.append(random.nextInt(5) == 0 ? id.replace('-', 'A') : id);
          }
          case 1 -> {
            spans.add(new RandomSpan(at, RandomSpan.HASH_BYTES, RandomSpan.Kind.HASH));
            random.ints(32, 0, 128).forEach(it -> text.append((char) it));
          }
          case 2 -> {
            byte[] sealed = new byte[random.nextInt(200)];
            random.nextBytes(sealed);
            text.append('"').append(Base64.getEncoder().encodeToString(sealed)).append('"');
          }
          default -> {}
        }
      }
      byte[] bytes = text.toString().getBytes(UTF_8);

      byte[] block = block(bytes, Base64Spans.with(spans, bytes, TEXT_AT));

      assertThat(text(block, bytes.length)).describedAs("round " + round).isEqualTo(bytes);
      assertThat(block.length).isLessThanOrEqualTo(bytes.length + 1);
    }
  }

  @Test
  void aRandomTextIsKeptAsItIs() {
    byte[] bytes = new byte[5_000];
    new Random(1).nextBytes(bytes);

    byte[] block = block(bytes, List.of());

    assertThat(block).hasSize(bytes.length + 1);
    assertThat(text(block, bytes.length)).isEqualTo(bytes);
  }

  @Test
  void randomSpansAreShorterPackedThanDeflated() {
    Random random = new Random(2);
    StringBuilder text = new StringBuilder();
    List<RandomSpan> spans = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      spans.add(
          new RandomSpan(TEXT_AT + text.length(), RandomSpan.UUID_BYTES, RandomSpan.Kind.UUID));
      text.append(new UUID(random.nextLong(), random.nextLong()))
          .append("{\"outcome\":\"success\"}");
    }
    byte[] bytes = text.toString().getBytes(UTF_8);

    assertThat(block(bytes, spans).length).isLessThan(block(bytes, List.of()).length * 7 / 8);
  }

  /**
   * The checksum beside a block finds a change; this is what is left when somebody puts it right.
   */
  @Test
  void noOtherBlockMakesItFail() {
    byte[] bytes = "{\"n\":1}".repeat(200).getBytes(UTF_8);
    byte[] block =
        block(bytes, List.of(new RandomSpan(TEXT_AT, RandomSpan.HASH_BYTES, RandomSpan.Kind.HASH)));
    for (int round = 0; round < 5_000; round++) {
      Random random = new Random(round);
      byte[] changed =
          Arrays.copyOf(
              block, random.nextInt(4) == 0 ? random.nextInt(block.length) : block.length);
      for (int change = 0; change < random.nextInt(4) && changed.length > 0; change++) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }

      boolean isRead =
          CompressedBlock.read(ByteBuffer.wrap(changed), new byte[bytes.length], 0, bytes.length);

      assertThat(isRead || !Arrays.equals(changed, block)).describedAs("round " + round).isTrue();
    }
  }
}
