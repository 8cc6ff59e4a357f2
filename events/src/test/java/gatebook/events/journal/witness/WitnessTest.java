package gatebook.events.journal.witness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gatebook.events.journal.checkpoint.CosigningKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.witness.WitnessAnswer.Cosigned;
import gatebook.events.journal.witness.WitnessAnswer.Inconsistent;
import gatebook.events.journal.witness.WitnessAnswer.Malformed;
import gatebook.events.journal.witness.WitnessAnswer.OtherSize;
import gatebook.events.journal.witness.WitnessAnswer.UnknownLog;
import gatebook.events.journal.witness.WitnessAnswer.Untrusted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class WitnessTest {
  private static final long NOW = 1_800_000_000;
  private static final String ORIGIN = "log.example/a";

  @TempDir Path directory;
  private final ForeignLog log = ForeignLog.named(ORIGIN).grow("a", "b", "c", "d", "e", "f", "g");
  private WitnessedLogs logs = new WitnessedLogs(Map.of());

  @BeforeEach
  void knowTheLog() {
    logs = knowing(log.key());
  }

  private static WitnessedLogs knowing(String... keys) {
    return WitnessedLogs.of(Stream.of(keys).map(key -> key(VerifierKey.parse(key))).toList());
  }

  private static <K> K key(LoadedKey<K> loaded) {
    return switch (loaded) {
      case LoadedKey.Key<K>(K key) -> key;
      case LoadedKey.Refused<K>(String why) -> throw new AssertionError(why);
    };
  }

  /** The witness as it is after a restart: all it knows is in the directory. */
  private Witness witness() {
    return witness(new CosignedFiles(directory));
  }

  private CosigningKey cosigningKey() {
    return key(CosigningKey.loadOrCreate(directory.resolve("cosigning.key"), "witness.example/w"));
  }

  private String witnessKey() {
    return cosigningKey().verifier().text();
  }

  private Witness witness(CosignedCheckpoints cosigned) {
    return new Witness(cosigningKey(), cosigned, () -> Instant.ofEpochSecond(NOW));
  }

  private WitnessAnswer add(String request) throws IOException {
    return witness().add(request.getBytes(UTF_8), logs);
  }

  @Test
  void aCheckpointThatContinuesTheNewestIsCosigned() throws IOException {
    for (int[] step : new int[][] {{0, 0}, {0, 3}, {3, 3}, {3, 4}, {4, 7}}) {
      assertThat(add(log.request(step[0], step[1])))
          .as("from %d to %d", step[0], step[1])
          .isInstanceOfSatisfying(
              Cosigned.class,
              cosigned ->
                  assertThat(log.isCosigned(cosigned.lines(), witnessKey(), step[1], NOW))
                      .isTrue());
    }
  }

  @Test
  void theNewestCheckpointHasTheSignaturesOfLogAndWitness() throws IOException {
    String foreign = ForeignLog.named("other.example/o").line(log.text(5));
    WitnessAnswer answer = add(log.request(0, 5) + foreign + log.line(log.text(5)));

    assertThat(witness().newest(log.hash(), logs))
        .contains(log.checkpoint(5) + ((Cosigned) answer).lines());
    assertThat(witness().newest(log.hash(), knowing())).isEmpty();
    assertThat(witness().newest("0".repeat(64), logs)).isEmpty();
  }

  @Test
  void everyOtherSizeThanTheNewestIsToldTheNewest() throws IOException {
    assertThat(add(log.request(3, 5))).isEqualTo(new OtherSize(0));
    add(log.request(0, 5));

    assertThat(add(log.request(3, 7))).isEqualTo(new OtherSize(5));
    assertThat(add(log.request(0, 5))).isEqualTo(new OtherSize(5));
    assertThat(add(log.request(6, 7))).isEqualTo(new OtherSize(5));
    assertThat(add(log.request(3, 3))).isEqualTo(new OtherSize(5));
  }

  @Test
  void aCheckpointOfAForkIsNotCosigned() throws IOException {
    ForeignLog fork = log.fork();
    fork.truncate(4);
    fork.grow("x", "y", "z", "more");
    add(log.request(0, 5));

    assertThat(add(fork.request(5, 5))).isInstanceOf(Inconsistent.class);
    assertThat(add(fork.request(5, 8))).isInstanceOf(Inconsistent.class);
    assertThat(add(ForeignLog.request(5, log.proof(5, 7), fork.checkpoint(7))))
        .isInstanceOf(Inconsistent.class);
    assertThat(add(log.request(5, 7))).isInstanceOf(Cosigned.class);
  }

  @Test
  void aProofWithOtherHashesIsRefused() throws IOException {
    add(log.request(0, 5));
    List<String> proof = log.proof(5, 7);
    List<String> longer = new ArrayList<>(proof);
    longer.add(proof.getFirst());
    List<String> turned = new ArrayList<>(proof);
    Collections.reverse(turned);

    for (List<String> wrong :
        List.of(List.<String>of(), proof.subList(1, proof.size()), longer, turned)) {
      assertThat(add(ForeignLog.request(5, wrong, log.checkpoint(7))))
          .as("%s", wrong)
          .isInstanceOf(Inconsistent.class);
    }
    assertThat(add(ForeignLog.request(5, proof, log.checkpoint(5))))
        .isInstanceOf(Inconsistent.class);
  }

  @Test
  void aFirstCheckpointHasNoProof() throws IOException {
    assertThat(add(ForeignLog.request(0, log.proof(3, 7), log.checkpoint(7))))
        .isInstanceOf(Inconsistent.class);
    String text = log.text(3).replace("\n3\n", "\n0\n");
    assertThat(add(ForeignLog.request(0, List.of(), log.signed(text))))
        .isInstanceOf(Inconsistent.class);
  }

  @Test
  void onlyAKnownKeyUnderItsOwnNameIsTrusted() throws IOException {
    ForeignLog other = ForeignLog.named(ORIGIN).grow("a");
    String text = log.text(5);
    String byAnotherName = text + "\n" + log.renamed("log.example/b").line(text);
    String wrong = text + "\n" + log.line(log.text(4));

    assertThat(add(other.request(0, 1))).isEqualTo(new Untrusted());
    assertThat(add(ForeignLog.request(0, List.of(), byAnotherName))).isEqualTo(new Untrusted());
    assertThat(add(ForeignLog.request(0, List.of(), wrong))).isEqualTo(new Untrusted());
    assertThat(add(ForeignLog.request(0, List.of(), wrong + log.line(text))))
        .isEqualTo(new Untrusted());
    assertThat(add(ForeignLog.named("log.example/c").request(0, 0))).isEqualTo(new UnknownLog());
  }

  @Test
  void eitherOfTwoKnownKeysOfALogIsTrusted() throws IOException {
    ForeignLog successor = ForeignLog.named(ORIGIN).grow("a", "b", "c", "d", "e", "f", "g");
    logs = knowing(log.key(), successor.key());

    assertThat(add(log.request(0, 5))).isInstanceOf(Cosigned.class);
    assertThat(add(log.request(5, 6) + successor.line(log.text(6)))).isInstanceOf(Cosigned.class);
    assertThat(add(successor.request(6, 7))).isInstanceOf(Cosigned.class);
  }

  @Test
  void extensionLinesAreCosignedWithTheCheckpoint() throws IOException {
    String signed = log.signed(log.text(5) + "an extension\n");

    assertThat(add(ForeignLog.request(0, List.of(), signed))).isInstanceOf(Cosigned.class);
    assertThat(add(log.request(5, 7))).isInstanceOf(Cosigned.class);
  }

  private static Stream<String> malformed() {
    ForeignLog log = ForeignLog.named(ORIGIN).grow("a", "b", "c");
    String hash = log.proof(1, 2).getFirst();
    String checkpoint = log.checkpoint(3);
    return Stream.of(
        "",
        "old 0",
        "old 0\n",
        checkpoint,
        "old\n\n" + checkpoint,
        "old 00\n\n" + checkpoint,
        "old +1\n\n" + checkpoint,
        "old -1\n\n" + checkpoint,
        "old  1\n\n" + checkpoint,
        "old 1 \n\n" + checkpoint,
        "old 9223372036854775808\n\n" + checkpoint,
        "new 0\n\n" + checkpoint,
        "old 1\r\n" + hash + "\r\n\r\n" + checkpoint,
        "old 1\n" + hash.substring(4) + "\n\n" + checkpoint,
        "old 1\n" + hash + "=\n\n" + checkpoint,
        "old 1\n" + (hash + "\n").repeat(64) + "\n" + checkpoint,
        "old 1\n" + hash + "\n" + checkpoint,
        "old 0\n\nno note",
        "old 0\n\n" + log.text(3),
        "old 0\n\n" + checkpoint + "trailing");
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void aRequestThatIsNoneIsRefused(String request) throws IOException {
    assertThat(add(request)).isInstanceOf(Malformed.class);
  }

  @Test
  void whatALogSignedAndIsNoCheckpointIsRefused() throws IOException {
    String text = log.text(3);
    for (String wrong :
        List.of(
            text.replace("\n3\n", "\n03\n"),
            text.replace("\n3\n", "\n-3\n"),
            text.replace("=\n", "\n"),
            ORIGIN + "\n3\n")) {
      assertThat(add(ForeignLog.request(0, List.of(), log.signed(wrong))))
          .as("%s", wrong)
          .isInstanceOf(Malformed.class);
    }
    assertThat(add(ForeignLog.request(4, List.of(), log.checkpoint(3))))
        .isInstanceOf(Malformed.class);
  }

  @Test
  void aDamagedStoredCheckpointRefusesEveryRequest() throws IOException {
    add(log.request(0, 5));
    Files.writeString(directory.resolve(log.hash() + ".checkpoint"), "");

    assertThatThrownBy(() -> add(log.request(0, 5)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(ORIGIN);
  }

  @Test
  void ofConcurrentRequestsOneIsCosigned() throws IOException {
    ForeignLog fork = log.fork();
    fork.truncate(4);
    fork.grow("x");
    CosignedFiles files = new CosignedFiles(directory);
    CosignedCheckpoints overtaken =
        new CosignedCheckpoints() {
          @Override
          public Optional<String> read(String hash) {
            return files.read(hash);
          }

          @Override
          public boolean replace(String hash, Optional<String> before, String after)
              throws IOException {
            if (before.isEmpty()) {
              assertThat(add(log.request(0, 5))).isInstanceOf(Cosigned.class);
            }
            return files.replace(hash, before, after);
          }

          @Override
          public void close() {
            files.close();
          }
        };

    assertThat(witness(overtaken).add(fork.request(0, 5).getBytes(UTF_8), logs))
        .isEqualTo(new OtherSize(5));
  }

  /**
   * A log that grows, loses answers, and now and then goes on from a fork or from what it was
   * before, asks a witness that is started anew each time.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void everyForkIsFoundAndNoHonestCheckpointIsRefused(long seed) throws IOException {
    Random random = new Random(seed);
    ForeignLog honest = ForeignLog.named(ORIGIN);
    logs = knowing(honest.key());
    Map<Integer, String> cosigned = new HashMap<>();
    int known = 0;
    int newest = 0;
    for (int minute = 0; minute < 60; minute++) {
      honest.grow(
          Stream.generate(() -> "e" + random.nextInt())
              .limit(random.nextInt(9))
              .toArray(String[]::new));
      WitnessAnswer answer = add(honest.request(known, honest.size()));
      if (answer instanceof OtherSize(long size)) {
        assertThat(known).as("only a lost answer makes a wrong size").isNotEqualTo((int) size);
        answer = add(honest.request((int) size, honest.size()));
      }
      assertThat(answer).as("minute %d", minute).isInstanceOf(Cosigned.class);
      newest = honest.size();
      cosigned.put(newest, honest.text(newest));
      known = random.nextInt(3) == 0 ? known : newest; // an answer may be lost
      ForeignLog other = honest.fork();
      int back = random.nextInt(newest + 1);
      other.truncate(back);
      if (random.nextBoolean()) {
        other.grow(
            Stream.generate(() -> "f" + random.nextInt())
                .limit(1 + random.nextInt(30))
                .toArray(String[]::new));
      }
      if (other.size() < newest) {
        assertThat(add(other.request(other.size(), other.size()))).isEqualTo(new OtherSize(newest));
      } else if (back < newest) {
        assertThat(add(other.request(newest, other.size()))).isInstanceOf(Inconsistent.class);
      }
    }
    assertThat(witness().newest(honest.hash(), logs).orElseThrow())
        .startsWith(cosigned.get(newest));
  }
}
