package gatebook.events.journal.h2;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.Entry;
import gatebook.events.journal.StoredCheckpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteAheadLogTest {
  private static final int EPOCH_AT = 4 * Integer.BYTES;

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void setFile() {
    file = directory.resolve("log");
  }

  @Test
  void recordsOfTheTestsAreThoseOfTheLastVersion() throws IOException {
    KilledH2Journal.copyTo(directory);
    byte[] written = Files.readAllBytes(directory.resolve("journal.ahead.db"));

    long epoch = ByteBuffer.wrap(written).getLong(EPOCH_AT);
    assertThat(LogRecords.encode(epoch, WriteAheadLog.read(directory.resolve("journal.ahead.db"))))
        .isEqualTo(written);
  }

  @Test
  void batchesAreReadInOrder() throws IOException {
    StoredCheckpoint checkpoint = new StoredCheckpoint(7, 2, "note\n— signed", new byte[] {1, 2});
    List<CommittedBatch> batches =
        List.of(
            new CommittedBatch(List.of(entry(1, "a"), entry(2, "é\u0000\uD83D\uDE00")), null),
            new CommittedBatch(List.of(), checkpoint),
            new CommittedBatch(List.of(entry(3, "")), checkpoint));

    Files.write(file, LogRecords.encode(1, batches));

    assertThat(WriteAheadLog.read(file)).usingRecursiveComparison().isEqualTo(batches);
  }

  @Test
  void aMissingOrEmptyLogHoldsNoBatches() throws IOException {
    assertThat(WriteAheadLog.read(file)).isEmpty();
    Files.createFile(file);
    assertThat(WriteAheadLog.read(file)).isEmpty();
  }

  @Test
  void aTruncatedLogKeepsTheCompleteBatches() throws IOException {
    byte[] bytes = records(1, 1, 2);
    int firstBytes = records(1, 1, 1).length;

    for (int length = 0; length < bytes.length; length++) {
      Files.write(file, Arrays.copyOf(bytes, length));
      assertThat(positions())
          .as("cut at %d", length)
          .isEqualTo(length < firstBytes ? List.of() : List.of(1L));
    }
  }

  @Test
  void aCorruptLogKeepsTheBatchesBeforeTheError() throws IOException {
    byte[] bytes = records(1, 1, 2);
    int firstBytes = records(1, 1, 1).length;

    for (int at = 0; at < bytes.length; at++) {
      byte[] wrong = bytes.clone();
      wrong[at] ^= 0x10;
      Files.write(file, wrong);
      assertThat(positions())
          .as("wrong at %d", at)
          .isEqualTo(at < firstBytes ? List.of() : List.of(1L));
    }
  }

  @Test
  void afterARestartEarlierRecordsAreIgnored() throws IOException {
    byte[] earlier = records(1, 1, 5);
    byte[] later = records(2, 6, 6); // as long as the first: the second begins where it ends

    writeOver(earlier, later);

    assertThat(positions()).containsExactly(6L);
  }

  @Test
  void recordsOfAnEarlierEpochWithMatchingPositionsAreIgnored() throws IOException {
    writeOver(records(1, 1, 2), records(2, 1, 1));

    assertThat(positions()).containsExactly(1L);
  }

  private void writeOver(byte[] earlier, byte[] later) throws IOException {
    byte[] bytes = earlier.clone();
    System.arraycopy(later, 0, bytes, 0, later.length);
    Files.write(file, bytes);
  }

  /** The records of events that are as long as each other, each a batch. */
  private static byte[] records(long epoch, int first, int last) {
    return LogRecords.encode(
        epoch,
        IntStream.rangeClosed(first, last)
            .mapToObj(position -> new CommittedBatch(List.of(entry(position, "x")), null))
            .toList());
  }

  private List<Long> positions() throws IOException {
    return WriteAheadLog.read(file).stream()
        .flatMap(it -> it.entries().stream())
        .map(Entry::position)
        .toList();
  }

  private static Entry entry(long position, String payload) {
    byte[] leaf = new byte[32];
    Arrays.fill(leaf, (byte) position);
    return new Entry(
        position,
        "id-" + position,
        "test.Noted",
        "1",
        "2026-01-01T00:00:00.000000000Z",
        "node-1",
        "call:1",
        payload.getBytes(UTF_8),
        "{}".getBytes(UTF_8),
        leaf);
  }
}
