package gatebook.api.cli.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.cli.CommandRun;
import gatebook.api.cli.ProveCommand;
import gatebook.api.cli.VerifyCommand;
import gatebook.api.cli.lookup.LookupCommand;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.WatchedNode;
import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.events.JournalOutage;
import gatebook.events.OperatorActed;
import gatebook.events.OriginBegun;
import gatebook.events.RollbackFound;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class BackupCommandTest {
  private static final String RULES =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance: {defaults: {action: forward}}
      """
          + NodeCaller.people("view, admin");

  @TempDir private Path temp;

  private Path target() {
    return temp.resolve("backups");
  }

  private static CommandRun backup(Path data, String... args) {
    return CommandRun.of(new BackupCommand(), List.of("--data", data.toString()), args);
  }

  private static CommandRun restore(Path data, String... args) {
    return CommandRun.of(new RestoreCommand(), List.of("--data", data.toString()), args);
  }

  private static CommandRun verify(Path data, String... args) {
    return CommandRun.of(new VerifyCommand(), List.of("--data", data.toString()), args);
  }

  /** A data directory with a journal that no process holds. */
  private Path closed(String name, int events) throws IOException {
    Path data = temp.resolve(name);
    try (OperatorTestNode node = new OperatorTestNode(data)) {
      for (int i = 0; i < events; i++) {
        node.append(outage());
      }
    }
    return data;
  }

  private static JournalOutage outage() {
    return new JournalOutage(OperatorTestNode.AT, OperatorTestNode.AT, "test", 1, 0);
  }

  private static void putKeysBack(Path data, Path restored) throws IOException {
    Files.copy(data.resolve("checkpoint.key"), restored.resolve("checkpoint.key"));
  }

  private static void putContentKeysBack(Path data, Path restored) throws IOException {
    Files.createDirectory(restored.resolve("keys"));
    for (String key : List.of("content-keys", "wrapping.key")) {
      Files.copy(data.resolve("keys/" + key), restored.resolve("keys/" + key));
    }
  }

  private static JsonNode json(CommandRun run) throws IOException {
    assertThat(run.code()).as(run.err()).isEqualTo(0); // a slow backup shows its progress there
    return new JsonMapper().readTree(run.out());
  }

  @Test
  void aClosedJournalIsBackedUpRestoredAndGoesOn() throws Exception {
    Path data = closed("data", 5);
    Path restored = temp.resolve("restored");

    assertThat(backup(data, target().toString()).out())
        .contains("events    5 of the log gatebook/", "files     1, of which 1 were copied");
    assertThat(restore(restored, target().toString()).out())
        .contains("restored  5 events of the log gatebook/", "proven    a checkpoint signs all");
    assertThat(verify(restored).out()).contains("checked   5 events", "wrong     nothing");
    assertThat(restored.resolve("checkpoint.key")).doesNotExist();
    assertThat(restore(restored, "--continue", "the disk is lost").err())
        .contains("there is no such file (put it back from its copy: a backup has no private key)");

    putKeysBack(data, restored);
    CommandRun goesOn = restore(restored, "--continue", "the disk is lost", "--json");
    assertThat(restored.resolve("keys")).doesNotExist(); // the next start tells what is missing

    assertThat(json(goesOn).path("position").asLong()).isEqualTo(6);
    assertThat(json(goesOn).path("origin").asText()).startsWith("gatebook/");
    assertThat(verify(restored).out()).contains("checked   6 events", "wrong     nothing");
    assertThat(verify(restored, "--against", data.resolve("checkpoint").toString()).out())
        .contains("wrong     nothing");
    assertThat(restore(restored, "--continue", "again").err())
        .isEqualTo("there is no restored journal that waits to go on\n");
    try (OperatorTestNode node = new OperatorTestNode(restored)) {
      assertThat(node.events().getLast())
          .isInstanceOfSatisfying(
              OriginBegun.class,
              begun -> {
                assertThat(begun.reason()).isEqualTo("the disk is lost");
                assertThat(begun.treeSize()).isEqualTo(5);
                assertThat(begun.newOrigin()).isNotEqualTo(begun.oldOrigin());
              });
    }
  }

  @Test
  void aRolledBackJournalGoesOnUnderANewOrigin() throws Exception {
    Path data = closed("data", 5);
    String origin = Files.readAllLines(data.resolve("checkpoint")).getFirst();
    try (OperatorTestNode node = new OperatorTestNode(data)) {
      node.append(new RollbackFound("witness.example/w+0+0", origin, 5, "a note"));
      assertThat(node.journal().state()).isInstanceOf(JournalState.RolledBack.class);
    }
    String newest = data.resolve("checkpoint").toString();

    assertThat(restore(data, "--continue", "a disk was put back", "--against", newest).err())
        .contains("goes on under a new origin only: leave out --against");
    CommandRun goesOn = restore(data, "--continue", "a disk was put back", "--json");

    assertThat(json(goesOn).path("position").asLong()).isEqualTo(7);
    assertThat(json(goesOn).path("origin").asText()).isNotEqualTo(origin);
    assertThat(verify(data).out()).contains("checked   7 events", "wrong     nothing");
    try (OperatorTestNode node = new OperatorTestNode(data)) {
      assertThat(node.journal().state()).isEqualTo(new JournalState.Writable());
    }
  }

  @Test
  void originStaysWhenNothingFollowedTheRestoredEvents() throws Exception {
    Path data = closed("data", 5);
    Path restored = temp.resolve("restored");
    backup(data, target().toString());
    restore(restored, target().toString());
    putKeysBack(data, restored);
    Path newest = Files.copy(data.resolve("checkpoint"), temp.resolve("newest"));

    assertThat(restore(restored, "--continue", "moved", "--against", newest.toString()).err())
        .contains("there are no content keys in " + restored.resolve("keys"));
    assertThat(restored.resolve("keys")).doesNotExist();
    putContentKeysBack(data, restored);
    CommandRun goesOn = restore(restored, "--continue", "moved", "--against", newest.toString());

    assertThat(goesOn.out())
        .isEqualTo(
            "the journal goes on after event 6, under the origin %s\n"
                .formatted(Files.readAllLines(newest).getFirst()));
    assertThat(verify(restored, "--against", newest.toString()).code()).isEqualTo(0);
    try (OperatorTestNode node = new OperatorTestNode(restored)) {
      assertThat(node.events().getLast()).isInstanceOf(OperatorActed.class);
    }
  }

  @Test
  void aForkIsNeverTheSameLog() throws Exception {
    Path data = closed("data", 5);
    backup(data, target().toString());
    Path restored = temp.resolve("restored");
    restore(restored, target().toString());
    putKeysBack(data, restored);
    putContentKeysBack(data, restored);
    try (OperatorTestNode original = new OperatorTestNode(data)) {
      original.append(outage());
    }
    String newest = data.resolve("checkpoint").toString();

    assertThat(restore(restored, "--continue", "x", "--against", newest).err())
        .contains("is over 6 events, and 5 were restored");
    assertThat(restore(restored, "--continue", "x").code()).isEqualTo(0);
    assertThat(verify(restored, "--against", newest).out())
        .contains("ended here before event 6, where gatebook/");
  }

  @Test
  void runningNodeIsBackedUpAndRestoredReadOnly() throws Exception {
    Path original = Files.createDirectory(temp.resolve("original"));
    Path copy = Files.createDirectory(temp.resolve("copy"));
    try (WatchedNode node = WatchedNode.start(original, RULES)) {
      node.provoke("before", WatchedNode.toolCall("echo"), NodeCaller.bearer(NodeCaller.JOE));

      JsonNode made = json(backup(original.resolve("data"), target().toString(), "--json"));

      assertThat(made.path("state").asText()).isEqualTo("made");
      assertThat(node.events().stream().filter(OperatorActed.class::isInstance))
          .extracting(event -> ((OperatorActed) event).method())
          .contains("backup.start", "backup.status");
    }
    assertThat(restore(copy.resolve("data"), target().toString()).code()).isEqualTo(0);

    try (WatchedNode node = WatchedNode.start(copy, RULES)) {
      assertThat(node.get("/ready").status()).isEqualTo(503);
      assertThat(node.get("/ready").body()).contains("\"journal\":\"read-only\"");
      assertThat(
              node.post(
                      "/mcp",
                      "after",
                      WatchedNode.toolCall("echo").getBytes(UTF_8),
                      NodeCaller.bearer(NodeCaller.JOE))
                  .body())
          .contains("-32013");
      assertThat(
              CommandRun.of(
                      new LookupCommand(),
                      List.of("--data", copy.resolve("data").toString()),
                      "before")
                  .out())
          .contains("echo");
      CommandRun unproved =
          CommandRun.of(
              new ProveCommand(),
              List.of("--data", copy.resolve("data").toString()),
              "before",
              "-o",
              temp.resolve("case.zip").toString());
      assertThat(unproved.err())
          .startsWith("a case file has to be signed, and this node signs nothing now: ")
          .contains("restore --continue");
      assertThat(unproved.code()).isEqualTo(1);
      assertThat(temp.resolve("case.zip")).doesNotExist();
      assertThat(verify(copy.resolve("data")).out()).contains("wrong     nothing");
    }
  }

  @Test
  void aRestoreEndsWhereItIsTold() throws Exception {
    Path data = closed("data", 5);
    backup(data, target().toString());

    assertThat(restore(temp.resolve("three"), target().toString(), "--until", "3").out())
        .contains("restored  3 events", "proven    a later checkpoint of the backup signs all");
    assertThat(restore(temp.resolve("none"), target().toString(), "--until", "6").err())
        .contains("ends at position 5");
  }

  /** Three events of an old key and a backup that has its replacement, too. */
  private final class RotatedJournal {
    private final Path data = temp.resolve("data");
    private final Path oldKey = temp.resolve("old.key");
    private final Path before = temp.resolve("before");

    RotatedJournal() throws Exception {
      closed("data", 3);
      Files.copy(data.resolve("checkpoint.key"), oldKey, StandardCopyOption.COPY_ATTRIBUTES);
      Files.copy(data.resolve("checkpoint"), before);
      try (OperatorTestNode node = new OperatorTestNode(data)) {
        rotate(node);
        node.append(outage());
      }
      assertThat(backup(data, target().toString()).code()).isZero();
    }

    /** What was recorded before the rotation. */
    Path restored() {
      Path restored = temp.resolve("restored");
      assertThat(restore(restored, target().toString(), "--until", "3").out())
          .contains("restored  3 events", "proven    a checkpoint signs all");
      return restored;
    }

    Path newKey() {
      return data.resolve("checkpoint.key");
    }

    String after() {
      return data.resolve("checkpoint").toString();
    }
  }

  private static void rotate(OperatorTestNode node) throws Exception {
    assertThat(
            node.call(
                """
                {"jsonrpc":"2.0","id":1,"method":"keys.rotate","params":{"key":"checkpoint"}}\
                """))
        .contains("\"rotated\"");
  }

  private static String keyId(Path key) {
    return ((LoadedKey.Key<CheckpointKey>) CheckpointKey.loadExisting(key))
        .key()
        .verifier()
        .label()
        .replaceFirst(".*\\+", "");
  }

  @Test
  void restoredFromBeforeARotationTheOldKeySigns() throws Exception {
    RotatedJournal rotated = new RotatedJournal();
    Path restored = rotated.restored();
    Files.copy(rotated.oldKey, restored.resolve("checkpoint.key"));

    JsonNode goesOn = json(restore(restored, "--continue", "the disk is lost", "--json"));

    String origin = goesOn.path("origin").asText();
    assertThat(Files.readString(restored.resolve("checkpoint"))).startsWith(origin + "\n4\n");
    assertThat(verify(restored).out()).contains("+" + keyId(rotated.oldKey), "wrong     nothing");
    assertThat(verify(restored, "--against", rotated.before.toString()).code()).isZero();
    assertThat(verify(restored, "--against", rotated.after()).out())
        .contains("is signed by", keyId(rotated.newKey()) + ", which is not trusted here");
    assertThat(verify(rotated.data, "--against", restored.resolve("checkpoint").toString()).out())
        .contains("over 4 events is signed by " + origin, "a key that was replaced");

    Files.copy(
        rotated.newKey(),
        restored.resolve("checkpoint.key.new"),
        StandardCopyOption.COPY_ATTRIBUTES);
    try (OperatorTestNode node = new OperatorTestNode(restored)) {
      rotate(node);
    }

    assertThat(verify(restored, "--against", rotated.before.toString()).out())
        .contains("+" + keyId(rotated.newKey()), "wrong     nothing");
    assertThat(verify(restored, "--against", rotated.after()).out())
        .contains("ended here before event 4, where " + origin + " began");
    assertThat(verify(rotated.data, "--against", restored.resolve("checkpoint").toString()).out())
        .contains("it is of another journal, " + origin);
  }

  @Test
  void withoutTheOldKeyItIsAcceptedUnderAnotherOrigin() throws Exception {
    RotatedJournal rotated = new RotatedJournal();
    Path restored = rotated.restored();
    Files.copy(rotated.newKey(), restored.resolve("checkpoint.key"));

    assertThat(restore(restored, "--continue", "the disk is lost").err())
        .contains(
            "signed by",
            keyId(rotated.oldKey) + ", and checkpoint.key is",
            keyId(rotated.newKey()) + ": put the file",
            "gatebook verify --accept REASON");
    assertThat(verify(restored, "--accept", "the old key is gone").code()).isZero();

    assertThat(Files.readAllLines(restored.resolve("checkpoint")).getFirst())
        .isNotEqualTo(Files.readAllLines(rotated.before).getFirst());
    assertThat(verify(restored).out())
        .contains("+" + keyId(rotated.newKey()), "wrong     nothing", "accepted  2 things");
    assertThat(verify(restored, "--against", rotated.after()).out())
        .contains("ended here before event 4");
  }

  static Stream<List<String>> wrongUsage() {
    return Stream.of(
        List.of(),
        List.of("gs://bucket"),
        List.of("--continue", " "),
        List.of("place", "--continue", "x"),
        List.of("place", "--against", "file"),
        List.of("place", "--until", "tomorrow"));
  }

  @ParameterizedTest
  @MethodSource("wrongUsage")
  void wrongOptionsAreWrongUsage(List<String> args) {
    assertThat(restore(temp.resolve("data"), args.toArray(String[]::new)).code()).isEqualTo(2);
    assertThat(temp.resolve("data")).doesNotExist();
  }
}
