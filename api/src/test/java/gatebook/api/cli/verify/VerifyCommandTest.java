package gatebook.api.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.cli.Ended;
import gatebook.api.data.DataDirectory;
import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.api.http.Port;
import gatebook.api.operator.AskedNode;
import gatebook.events.JournalOutage;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalSettings;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.vocabulary.EventVocabulary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class VerifyCommandTest {
  private static final int EVENTS = 7;

  @TempDir private Path temp;

  enum Where {
    H2,
    POSTGRES
  }

  @ParameterizedTest
  @EnumSource
  void anUntouchedJournalIsClean(Where where) throws Exception {
    Place place = new Place(where);

    Ended ended = place.verify();

    assertThat(ended.code()).isEqualTo(0);
    assertThat(ended.out().lines().map(VerifyCommandTest::word))
        .containsExactly("journal", "checked", "root", "signed", "not yet", "key", "wrong");
    assertThat(ended.out())
        .contains(
            "checked   7 events, the last at position 7",
            "signed    2 checkpoints, the newest that agrees over 7 events",
            "not yet   every event is covered by a checkpoint",
            "wrong     nothing")
        .contains(place.verifierKey());
  }

  @ParameterizedTest
  @EnumSource
  void anAlteredColumnIsNamedByItsPosition(Where where) throws Exception {
    Place place = new Place(where);
    place.execute("UPDATE journal SET node = 'elsewhere' WHERE position = 3");

    Ended ended = place.verify();

    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.out()).contains("  event 3 was altered: its leaf is not that of its row");
  }

  @ParameterizedTest
  @EnumSource
  void aDeletedRowIsNamedByItsPosition(Where where) throws Exception {
    Place place = new Place(where);
    place.execute("DELETE FROM journal WHERE position = 4");

    Ended ended = place.verify();

    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.out()).contains("  event 4 is missing");
  }

  @ParameterizedTest
  @EnumSource
  void aTailThatWasCutIsFound(Where where) throws Exception {
    Place place = new Place(where);
    place.execute("DELETE FROM journal WHERE position > 5");

    Ended ended = place.verify("--json");

    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.out())
        .contains(
            "\"message\" : \"the journal ends at position 5, and the right edge says it had 7");
  }

  @ParameterizedTest
  @EnumSource
  void aCheckpointKeptElsewhereIsComparedWith(Where where) throws Exception {
    Place place = new Place(where);
    Path kept = Files.copy(place.data.resolve("checkpoint"), temp.resolve("kept"));
    place.append();

    assertThat(place.verify("--against", kept.toString()).code()).isEqualTo(0);

    place.execute("DELETE FROM journal WHERE position > 5");
    assertThat(place.verify("--against", kept.toString()).out())
        .contains("  the checkpoint kept in " + kept + " over 7 events disagrees: ");
  }

  @ParameterizedTest
  @EnumSource
  void whatAnOperatorAcceptsIsToldAndNoLongerFailsAndTheJournalGoesOn(Where where)
      throws Exception {
    Place place = new Place(where);
    place.execute("UPDATE journal SET node = 'elsewhere' WHERE position = 3");
    place.execute("DELETE FROM journal WHERE position = 5");

    Ended accepted = place.verify("--accept", "the disk was restored by hand");

    assertThat(accepted.code()).isEqualTo(0);
    assertThat(accepted.out())
        .contains(
            "done      the journal was accepted as it stands, by event 8", "wrong     nothing");
    Ended afterwards = place.verify();
    assertThat(afterwards.code()).isEqualTo(0);
    assertThat(afterwards.out())
        .contains(
            "  event 3 was altered: its leaf is not that of its row (accepted by %s at position 8: the disk was restored by hand)"
                .formatted(System.getProperty("user.name")))
        .contains("  event 5 is missing (accepted by ");
    assertThat(place.state()).isEqualTo(new JournalState.Writable());
    place.append();
    assertThat(place.verify().code()).isEqualTo(0);
  }

  @ParameterizedTest
  @EnumSource
  void aCleanJournalHasNothingToAcceptAndIsNotChanged(Where where) throws Exception {
    Place place = new Place(where);

    Ended ended = place.verify("--accept", "just in case");

    assertThat(ended.code()).isEqualTo(0);
    assertThat(ended.out())
        .contains(
            "checked   7 events", "done      there is nothing to accept: nothing was changed");
    assertThat(place.verify().out()).contains("checked   7 events");
  }

  @ParameterizedTest
  @EnumSource
  void aThirdPartyNeedsTheVerifierKeyOnly(Where where) throws Exception {
    Place place = new Place(where);
    Path key = Files.writeString(temp.resolve("verifier"), place.verifierKey() + "\n");
    Files.delete(place.data.resolve("checkpoint.key"));

    Ended without = place.verify();
    Ended with = place.verify("--key", key.toString());

    assertThat(without)
        .isEqualTo(
            new Ended(
                1,
                "",
                "the checkpoint key %s cannot be used: there is no such file (name a verifier key with --key)\n"
                    .formatted(place.data.resolve("checkpoint.key"))));
    assertThat(with.code()).isEqualTo(0);
    assertThat(place.data.resolve("checkpoint.key")).doesNotExist();
  }

  @Test
  void theServerThatHoldsTheDirectoryAnswers() throws Exception {
    Path data = temp.resolve("data");
    try (AskedNode node = new AskedNode(data)) {
      node.append(outage());

      Ended held = run(Map.of(), "--data", data.toString());
      Ended asked =
          run(
              Map.of("GATEBOOK_TOKEN", node.token()),
              "--url",
              node.url(Port.ADMIN),
              "--data",
              temp.resolve("none").toString(),
              "--json");
      Ended accept = run(Map.of(), "--data", data.toString(), "--accept", "x");

      assertThat(held.code()).isEqualTo(0);
      assertThat(held.out()).contains("checked   1 event, the last at position 1");
      assertThat(asked.code()).isEqualTo(0);
      assertThat(asked.out()).contains("\"lastPosition\" : 2"); // asking is an event
      assertThat(accept.code()).isEqualTo(1);
      assertThat(accept.err()).startsWith("%s is in use by the running gatebook".formatted(data));
    }
  }

  @Test
  void aServerThatDoesNotTakeTheTokenIsToldFromOneThatIsNotThere() throws Exception {
    try (AskedNode node = new AskedNode(temp.resolve("data"))) {
      assertThat(run(Map.of(), "--url", node.url(Port.ADMIN), "--token", "wrong"))
          .isEqualTo(
              new Ended(
                  1,
                  "",
                  "the server at %s/operator does not take this token: give it with --token or GATEBOOK_TOKEN\n"
                      .formatted(node.url(Port.ADMIN))));
    }
    assertThat(run(Map.of(), "--url", "http://127.0.0.1:1", "--token", "t").err())
        .isEqualTo("no server answers at http://127.0.0.1:1/operator: is it running?\n");
  }

  @Test
  void whatIsNoDataDirectoryIsLeftAlone() {
    Path none = temp.resolve("none");

    Ended ended = run(Map.of(), "--data", none.toString());

    assertThat(ended)
        .isEqualTo(
            new Ended(
                1,
                "",
                "%s is no data directory: name one with --data, or a server with --url\n"
                    .formatted(none)));
    assertThat(none).doesNotExist();
  }

  static Stream<List<String>> senseless() {
    return Stream.of(
        List.of("--accept", "x", "--url", "http://127.0.0.1:1"),
        List.of("--accept", "x", "--against", "file"),
        List.of("--accept", " "),
        List.of("--url", "http://127.0.0.1:1", "--key", "file"),
        List.of("--url", "file:///etc", "--token", "t"),
        List.of("--db", "jdbc:mysql://root:secret@db/gatebook"),
        List.of("--no-such-option"));
  }

  @ParameterizedTest
  @MethodSource("senseless")
  void whatMakesNoSenseIsUsage(List<String> args) {
    Ended ended = run(Map.of(), args.toArray(String[]::new));

    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.err()).doesNotContain("secret", "Exception");
  }

  private static String word(String line) {
    return line.substring(0, 9).strip();
  }

  private static Ended run(Map<String, String> environment, String... args) {
    return Ended.of(new VerifyCommand(environment), List.of(), args);
  }

  private static JournalOutage outage() {
    return new JournalOutage(AskedNode.AT, AskedNode.AT, "test", 1, 0);
  }

  /** A journal in a data directory, its database there or on a server, that no process holds. */
  private final class Place {
    private final Path data = temp.resolve("data");
    private final Map<String, String> environment = new HashMap<>();
    private final Optional<String> url;
    private final JournalSettings settings;
    private String verifierKey = "";

    Place(Where where) {
      ((DataDirectory.Opening.Opened) DataDirectory.open(data)).directory().close();
      if (where == Where.POSTGRES) {
        JournalSettings.Shared shared = Journals.freshSchema();
        environment.put("GATEBOOK_DB_USER", shared.user());
        environment.put("GATEBOOK_DB_PASSWORD", shared.password());
        url = Optional.of(shared.url());
      } else {
        url = Optional.empty();
      }
      settings = new JournalPlace(data, url).settings(JournalSection.DEFAULT, environment);
      try (Journal journal = Journals.opened(settings)) {
        verifierKey = journal.verifier().text();
        IntStream.range(0, EVENTS).forEach(_ -> append(journal));
      }
    }

    String verifierKey() {
      return verifierKey;
    }

    void append() {
      try (Journal journal = Journals.opened(settings)) {
        append(journal);
      }
    }

    private static void append(Journal journal) {
      journal
          .append(
              ConflictCondition.none(),
              List.of(new EventVocabulary().draft(outage(), AskedNode.AT)))
          .join();
    }

    JournalState state() {
      try (Journal journal = Journals.opened(settings)) {
        return journal.state();
      }
    }

    void execute(String sql) throws Exception {
      try (Connection admin = Journals.administrator(settings.location())) {
        assertThat(admin.createStatement().executeUpdate(sql)).isPositive();
      }
    }

    Ended verify(String... more) {
      List<String> args = new ArrayList<>(List.of("--data", data.toString()));
      url.ifPresent(it -> args.addAll(List.of("--db", it)));
      args.addAll(List.of(more));
      return run(environment, args.toArray(String[]::new));
    }
  }
}
