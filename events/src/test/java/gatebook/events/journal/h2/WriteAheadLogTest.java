package gatebook.events.journal.h2;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.Entry;
import gatebook.events.journal.StoredCheckpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteAheadLogTest {
  @TempDir Path directory;
  private Path file;
  private WriteAheadLog log;

  @BeforeAll
  static void register() {
    InterruptSafeFileSystem.register();
  }

  @BeforeEach
  void open() {
    file = directory.resolve("log");
    log = newLog();
  }

  @AfterEach
  void close() {
    log.close();
  }

  @Test
  void batchesAreReadBackInOrder() throws IOException {
    StoredCheckpoint checkpoint = new StoredCheckpoint(7, 2, "note\n— signed", new byte[] {1, 2});
    List<CommittedBatch> batches =
        List.of(
            new CommittedBatch(List.of(entry(1, "a"), entry(2, "é\u0000\uD83D\uDE00")), null),
            new CommittedBatch(List.of(), checkpoint),
            new CommittedBatch(List.of(entry(3, "")), checkpoint));
    for (CommittedBatch batch : batches) {
      log.append(batch);
    }

    assertThat(read()).usingRecursiveComparison().isEqualTo(batches);
  }

  @Test
  void aMissingOrEmptyLogHoldsNoBatches() throws IOException {
    assertThat(read()).isEmpty();
    Files.createFile(file);
    assertThat(read()).isEmpty();
  }

  @Test
  void aTruncatedLogKeepsTheCompleteBatches() throws IOException {
    log.append(new CommittedBatch(List.of(entry(1, "a")), null));
    int firstBytes = (int) Files.size(file);
    log.append(new CommittedBatch(List.of(entry(2, "b")), null));
    byte[] bytes = Files.readAllBytes(file);

    for (int length = 0; length < bytes.length; length++) {
      Files.write(file, Arrays.copyOf(bytes, length));
      assertThat(positions(read()))
          .as("cut at %d", length)
          .isEqualTo(length < firstBytes ? List.of() : List.of(1L));
    }
  }

  @Test
  void aCorruptLogKeepsTheBatchesBeforeTheError() throws IOException {
    log.append(new CommittedBatch(List.of(entry(1, "a")), null));
    int firstBytes = (int) Files.size(file);
    log.append(new CommittedBatch(List.of(entry(2, "b")), null));
    byte[] bytes = Files.readAllBytes(file);

    for (int at = 0; at < bytes.length; at++) {
      byte[] wrong = bytes.clone();
      wrong[at] ^= 0x10;
      Files.write(file, wrong);
      assertThat(positions(read()))
          .as("wrong at %d", at)
          .isEqualTo(at < firstBytes ? List.of() : List.of(1L));
    }
  }

  @Test
  void afterARestartEarlierRecordsAreIgnored() throws IOException {
    for (long position = 1; position <= 5; position++) {
      log.append(new CommittedBatch(List.of(entry(position, "x")), null));
    }
    log.restart();
    assertThat(log.bytes()).isZero();

    log.append(
        new CommittedBatch(
            List.of(entry(6, "x")), null)); // as long as the first: the second begins where it ends

    assertThat(positions(read())).containsExactly(6L);
  }

  @Test
  void recordsOfAnEarlierEpochWithMatchingPositionsAreIgnored() throws IOException {
    log.append(new CommittedBatch(List.of(entry(1, "x")), null));
    log.append(new CommittedBatch(List.of(entry(2, "lost with its position")), null));
    log.restart();

    log.append(new CommittedBatch(List.of(entry(1, "x")), null));

    assertThat(positions(read())).containsExactly(1L);
  }

  @Test
  void anErasedLogHoldsNoBatches() throws IOException {
    log.append(new CommittedBatch(List.of(entry(1, "a")), null));

    log.erase();

    assertThat(read()).isEmpty();
    assertThat(file).isEmptyFile();
  }

  private WriteAheadLog newLog() {
    return new WriteAheadLog(InterruptSafeFileSystem.SCHEME + ":" + file);
  }

  private List<CommittedBatch> read() throws IOException {
    try (WriteAheadLog another = newLog()) {
      return another.read();
    }
  }

  private static List<Long> positions(List<CommittedBatch> batches) {
    return batches.stream().flatMap(it -> it.entries().stream()).map(Entry::position).toList();
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
