package gatebook.api.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class BoundedLogStreamTest {
  private static final int FOREVER_MILLIS = 120_000;

  private final Reader reader = new Reader();

  /** A reader that blocks until it is released and then takes everything. */
  private static final class Reader extends OutputStream {
    private final Semaphore busy = new Semaphore(0);
    private final CountDownLatch reads = new CountDownLatch(1);
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();
    private int flushes;

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      busy.release();
      try {
        reads.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      text.write(bytes, from, length);
    }

    @Override
    public void flush() {
      flushes++;
    }

    List<String> lines() {
      return text.toString(UTF_8).lines().toList();
    }
  }

  private BoundedLogStream start(long bytesMax) {
    return BoundedLogStream.start(
        reader, bytesMax, FOREVER_MILLIS, dropped -> bytes("and %d more".formatted(dropped)));
  }

  @Test
  void linesKeepTheirOrder() {
    reader.reads.countDown();
    BoundedLogStream boundedLogStream = start(10_000);
    List<String> lines = IntStream.range(0, 1_000).mapToObj(Integer::toString).toList();

    lines.forEach(line -> write(boundedLogStream, line));
    boundedLogStream.close();

    assertThat(reader.lines()).isEqualTo(lines);
  }

  @Test
  void linesThatArriveTogetherAreOneBatch() throws InterruptedException {
    BoundedLogStream boundedLogStream = start(10_000);

    write(boundedLogStream, "first");
    reader.busy.acquire(); // blocked by line 1
    IntStream.range(0, 100).forEach(i -> write(boundedLogStream, "later"));
    reader.reads.countDown();
    boundedLogStream.close();

    assertThat(reader.lines()).hasSize(101);
    assertThat(reader.flushes).isEqualTo(2);
  }

  @Test
  void writersNeverBlockAndDroppedLinesAreCounted() throws InterruptedException {
    BoundedLogStream boundedLogStream = start(3L * bytes("line 1").length);

    write(boundedLogStream, "line 1");
    reader.busy.acquire(); // blocked by line 1, which counts until it is written
    write(boundedLogStream, "line 2");
    write(boundedLogStream, "line 3"); // fits exactly
    write(boundedLogStream, "line 4");
    write(boundedLogStream, "line 5");
    reader.reads.countDown();
    boundedLogStream.close();

    assertThat(reader.lines()).containsExactly("line 1", "line 2", "line 3", "and 2 more");
  }

  @Test
  void theDropNoticeIsInThePlaceOfTheLines() throws InterruptedException {
    BoundedLogStream boundedLogStream = start(bytes("line 1").length);

    write(boundedLogStream, "line 1");
    reader.busy.acquire();
    write(boundedLogStream, "line 2");
    reader.reads.countDown();
    await()
        .until(() -> {
          write(boundedLogStream, "line 3"); // has room once the others are written
          return reader.lines().contains("line 3");
        });

    assertThat(reader.lines()).startsWith("line 1", "and 1 more");
  }

  @Test
  void aFailedWriteDoesNotBlockLaterLines() {
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("the reader is gone");
          }
        };
    BoundedLogStream boundedLogStream =
        BoundedLogStream.start(broken, 1_000, FOREVER_MILLIS, _ -> bytes("gap"));

    assertThatCode(() -> IntStream.range(0, 1_000).forEach(i -> write(boundedLogStream, "line")))
        .doesNotThrowAnyException();
    boundedLogStream.close(); // ends
  }

  @Test
  void closingDoesNotWaitForAStoppedReader() {
    BoundedLogStream boundedLogStream = BoundedLogStream.start(reader, 1_000, 1, _ -> bytes("gap"));
    write(boundedLogStream, "line");

    boundedLogStream.close(); // ends

    assertThat(reader.lines()).isEmpty();
    reader.reads.countDown();
  }

  private static void write(BoundedLogStream boundedLogStream, String line) {
    byte[] bytes = bytes(line);
    boundedLogStream.write(bytes, 0, bytes.length);
  }

  private static byte[] bytes(String line) {
    return (line + "\n").getBytes(UTF_8);
  }
}
