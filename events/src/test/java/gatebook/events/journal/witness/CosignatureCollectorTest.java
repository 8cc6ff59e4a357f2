package gatebook.events.journal.witness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.CosignatureRefused;
import gatebook.events.Event;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.checkpoint.CosigningKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.witness.CosignatureCollector.Result;
import gatebook.events.journal.witness.WitnessConnection.Response;
import gatebook.events.journal.witness.WitnessPolicy.KnownWitness;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a log makes of hand-made answers of a witness. */
class CosignatureCollectorTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
  private static final Duration CLOCK_DIFFERENCE_MAX = Duration.ofMinutes(5);

  @TempDir Path directory;
  private final Deque<UnaryOperator<String>> answers = new ArrayDeque<>();
  private final List<String> requests = new ArrayList<>();
  private final List<Event> recorded = new ArrayList<>();
  private int status = 200;
  private String type = "text/plain; charset=utf-8";
  private Journal journal;
  private CosigningKey key;
  private CosignatureStore store;

  @BeforeEach
  void open() throws IOException {
    journal = Journals.opened(Journals.inSegments(directory));
    key = key("witness");
    Files.createDirectory(directory.resolve("kept"));
    store = new CosignatureStore(new CosignedFiles(directory.resolve("kept")));
    grow(3);
  }

  @AfterEach
  void close() {
    journal.close();
  }

  private CosigningKey key(String name) {
    return switch (CosigningKey.loadOrCreate(
        directory.resolve(name + ".key"), "witness.example/" + name)) {
      case LoadedKey.Key<CosigningKey>(CosigningKey loaded) -> loaded;
      case LoadedKey.Refused<CosigningKey>(String why) -> throw new AssertionError(why);
    };
  }

  private void grow(int events) {
    for (int i = 0; i < events; i++) {
      Journals.append(journal, Journals.draft("x"));
    }
    journal.sign().join();
  }

  /** Asks a witness that answers each request with the next answer, or the last one. */
  private Result ask() {
    CosignatureCollector collector =
        new CosignatureCollector(journal, store, new Scripted(), recorded::add, () -> NOW);
    return collector.ask(witness(key.verifier()), CLOCK_DIFFERENCE_MAX);
  }

  private static KnownWitness witness(VerifierKey key) {
    return new KnownWitness("w", key, URI.create("https://witness.example/prefix/"));
  }

  private final class Scripted implements WitnessConnection {
    @Override
    public Response post(URI url, byte[] body) {
      assertThat(url).hasToString("https://witness.example/prefix/add-checkpoint");
      return answer(new String(body, UTF_8));
    }

    @Override
    public Response get(URI url) {
      assertThat(url.toString()).endsWith("/checkpoint");
      return answer("");
    }

    private Response answer(String request) {
      requests.add(request);
      UnaryOperator<String> answer = answers.size() > 1 ? answers.remove() : answers.getFirst();
      String body = answer.apply(request);
      return body.startsWith("size ")
          ? new Response.Answered(
              409, "text/x.tlog.size", (body.substring(5) + "\n").getBytes(UTF_8))
          : new Response.Answered(status, type, body.getBytes(UTF_8));
    }
  }

  private static String text(String request) {
    String note = request.substring(request.indexOf("\n\n") + 2);
    return note.substring(0, note.indexOf("\n\n") + 1);
  }

  private UnaryOperator<String> cosigning(CosigningKey by, Instant at) {
    return request -> by.cosign(text(request), at);
  }

  private WitnessFailure failure(Result result) {
    assertThat(result).isInstanceOf(Result.Failed.class);
    return ((Result.Failed) result).failure();
  }

  private long old(int request) {
    String line = requests.get(request).lines().findFirst().orElseThrow();
    return Long.parseLong(line.substring("old ".length()));
  }

  @Test
  void theNextRequestGoesOnFromTheKeptCosignature() throws IOException {
    answers.add(cosigning(key, NOW));

    assertThat(ask()).isInstanceOf(Result.Cosigned.class);
    grow(2);
    assertThat(ask()).isInstanceOf(Result.Cosigned.class);

    assertThat(List.of(old(0), old(1))).containsExactly(0L, 3L);
    assertThat(store.read(key.verifier()).orElseThrow().checkpoint().size()).isEqualTo(5);
    assertThat(store.read(key.verifier()).orElseThrow().seconds()).isEqualTo(NOW.getEpochSecond());
  }

  @Test
  void cosignaturesOfUnknownKeysAreIgnored() throws IOException {
    CosigningKey other = key("other");
    answers.add(request -> other.cosign(text(request), NOW) + key.cosign(text(request), NOW));

    assertThat(ask()).isInstanceOf(Result.Cosigned.class);
    assertThat(store.read(other.verifier())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"300, true", "-300, true", "301, false", "-301, false"})
  void theTimeOfACosignatureIsNearTheClock(long seconds, boolean isKept) throws IOException {
    answers.add(cosigning(key, NOW.plusSeconds(seconds)));
    Result result = ask();

    assertThat(store.read(key.verifier()).isPresent()).isEqualTo(isKept);
    if (!isKept) {
      assertThat(failure(result)).isEqualTo(WitnessFailure.WRONG_TIME);
    }
  }

  @Test
  void aWrongCosignatureIsNotKept() throws IOException {
    answers.add(request -> key.cosign(text(request) + "more\n", NOW));
    assertThat(failure(ask())).isEqualTo(WitnessFailure.WRONG_COSIGNATURE);
    answers.clear();
    answers.add(cosigning(key("other"), NOW));
    assertThat(failure(ask())).isEqualTo(WitnessFailure.WRONG_COSIGNATURE);
    assertThat(store.read(key.verifier())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "301, REDIRECT",
    "308, REDIRECT",
    "400, MALFORMED",
    "403, NOT_TRUSTED",
    "404, UNKNOWN_LOG",
    "413, TOO_LARGE",
    "418, WRONG_ANSWER",
    "204, WRONG_ANSWER",
    "429, TOO_MANY",
    "500, BROKEN",
    "503, BROKEN"
  })
  void eachOtherStatusIsAFailureAndNoEvent(int answered, WitnessFailure failure) {
    status = answered;
    answers.add(cosigning(key, NOW));

    assertThat(failure(ask())).isEqualTo(failure);
    assertThat(requests).hasSize(1);
    assertThat(recorded).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "cosigned", "\u2014 witness.example/witness AAAA", "\n\n"})
  void aBodyThatIsNoSignatureIsAWrongAnswer(String body) {
    answers.add(_ -> body);

    assertThat(failure(ask())).isIn(WitnessFailure.WRONG_ANSWER, WitnessFailure.WRONG_COSIGNATURE);
  }

  @Test
  void anotherSizeIsFollowedByAProofFromThere() {
    answers.add(_ -> "size 2");
    answers.add(cosigning(key, NOW));

    assertThat(ask()).isInstanceOf(Result.Cosigned.class);
    assertThat(List.of(old(0), old(1))).containsExactly(0L, 2L);
  }

  @ParameterizedTest
  @CsvSource({"text/plain, '2\n'", "text/x.tlog.size, '2'", "text/x.tlog.size, '02\n'"})
  void aConflictWithoutASizeIsAWrongAnswer(String mediaType, String body) {
    status = 409;
    type = mediaType;
    answers.add(_ -> body);

    assertThat(failure(ask())).isEqualTo(WitnessFailure.WRONG_ANSWER);
  }

  @Test
  void aWitnessThatNeverAgreesIsNotAskedForEver() {
    answers.add(_ -> "size " + (1 + requests.size() % 2));

    assertThat(failure(ask())).isEqualTo(WitnessFailure.WRONG_ANSWER);
    assertThat(requests).hasSizeLessThan(6);
  }

  @Test
  void anInconsistencyIsRecordedOnceUntilTheWitnessCosigns() {
    CosignatureCollector collector =
        new CosignatureCollector(journal, store, new Scripted(), recorded::add, () -> NOW);
    status = 422;
    answers.add(_ -> "");
    assertThat(failure(collector.ask(witness(key.verifier()), CLOCK_DIFFERENCE_MAX)))
        .isEqualTo(WitnessFailure.INCONSISTENT);
    var _ = collector.ask(witness(key.verifier()), CLOCK_DIFFERENCE_MAX);
    assertThat(recorded)
        .singleElement()
        .isInstanceOfSatisfying(
            CosignatureRefused.class,
            it -> assertThat(List.of(it.oldSize(), it.treeSize())).containsExactly(0L, 3L));

    status = 200;
    answers.add(cosigning(key, NOW));
    answers.remove();
    var _ = collector.ask(witness(key.verifier()), CLOCK_DIFFERENCE_MAX);
    status = 422;
    var _ = collector.ask(witness(key.verifier()), CLOCK_DIFFERENCE_MAX);
    assertThat(recorded).hasSize(2);
  }

  @Test
  void aLargerSizeOfSomebodyElseIsNoRollback() {
    String foreign = ForeignLog.named("log.example/a").grow("a", "b", "c", "d", "e").checkpoint(5);
    answers.add(_ -> "size 5");
    answers.add(_ -> foreign);
    assertThat(failure(ask())).isEqualTo(WitnessFailure.AHEAD);

    String own = new String(journal.newestCheckpoint().orElseThrow().note().getBytes(UTF_8), UTF_8);
    answers.clear();
    answers.add(_ -> "size 5");
    answers.add(_ -> own.replaceFirst("\n3\n", "\n5\n"));
    assertThat(failure(ask())).isEqualTo(WitnessFailure.AHEAD);
    assertThat(recorded).isEmpty();
    assertThat(journal.append(ConflictCondition.none(), List.of(Journals.draft("y"))).join())
        .isInstanceOf(gatebook.events.journal.Append.Stored.class);
  }

  @Test
  void whatAnotherNodeSignedMeanwhileIsNoRollback() {
    answers.add(_ -> "size 5");
    answers.add(_ -> {
      grow(2);
      return journal.newestCheckpoint().orElseThrow().note();
    });

    assertThat(failure(ask())).isEqualTo(WitnessFailure.AHEAD);
    assertThat(recorded).isEmpty();
  }
}
