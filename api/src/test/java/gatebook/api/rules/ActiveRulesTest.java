package gatebook.api.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.spi.ILoggingEvent;
import gatebook.api.log.CapturedLogLines;
import gatebook.api.rules.ActiveRules.RulesDetails;
import gatebook.command.gateway.ActivateRules;
import gatebook.command.gateway.RejectRules;
import gatebook.command.rules.Rules;
import gatebook.command.rules.file.RulesFile;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.events.RulesRejected.Mistake;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ActiveRulesTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final String DENY =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance: {defaults: {action: deny}}
      """;
  private static final String FORWARD = DENY.replace("deny", "forward");
  private static final String WRONG = DENY.replace("deny", "permit");

  private final List<Object> recorded = new CopyOnWriteArrayList<>();
  private volatile boolean journalWrites = true;
  private volatile @Nullable CompletableFuture<Instant> pending;
  private volatile @Nullable CapturedLogLines recordingLog;
  private @Nullable ActiveRules active;

  @TempDir private Path directory;
  private Path file = Path.of("");

  @BeforeEach
  void name() {
    file = directory.resolve("rules.yaml");
  }

  @AfterEach
  void close() {
    if (active != null) {
      active.close();
    }
  }

  @Test
  void rulesAreInForceOnceTheyAreRecorded() throws IOException {
    ActiveRules rules = start(DENY);

    assertThat(recorded).containsExactly(activation());
    assertThat(rules.get()).isEqualTo(new RulesStatus.InForce(read().rules()));
    assertThat(rules.details())
        .contains(new RulesDetails(read().rules().hash(), NOW, file.toString(), DENY, List.of()));
  }

  @Test
  void nothingIsInForceBeforeItIsRecorded() throws IOException {
    journalWrites = false;
    ActiveRules rules = start(DENY);

    assertThat(rules.get()).isEqualTo(new RulesStatus.NotRecorded());
    assertThat(rules.details()).isEmpty();

    journalWrites = true;

    await().until(() -> rules.get() instanceof RulesStatus.InForce);
    assertThat(recorded).hasSizeGreaterThan(1).containsOnly(activation());
  }

  @Test
  void whatKeepsTheJournalFromRecordingIsLoggedOnce() throws IOException {
    journalWrites = false;
    start(DENY);
    await().until(() -> recorded.size() > 3);

    try (CapturedLogLines lines = Objects.requireNonNull(recordingLog)) {
      assertThat(lines.list)
          .extracting(ILoggingEvent::getMessage)
          .containsExactly("the journal did not record the rules: trying again until it does");
    }
  }

  @Test
  void changedRulesTakeEffectOnceRecorded() throws IOException {
    ActiveRules rules = start(DENY);
    RulesStatus before = rules.get();
    CompletableFuture<Instant> slow = new CompletableFuture<>();
    pending = slow;

    write(FORWARD);

    await().until(() -> recorded.size() == 2);
    assertThat(rules.get()).isEqualTo(before);

    slow.complete(NOW);

    await().until(() -> !rules.get().equals(before));
    assertThat(rules.get()).isEqualTo(new RulesStatus.InForce(read().rules()));
    assertThat(recorded.getLast()).isEqualTo(activation());
  }

  @Test
  void aChangedPolicyChangesTheRules() throws IOException {
    Path policy = directory.resolve("a.cedar");
    Files.writeString(policy, "permit(principal, action, resource);");
    ActiveRules rules = start(DENY + "cedar: {policies: [a.cedar]}");
    String before = hash(rules);

    Files.writeString(policy, "forbid(principal, action, resource);");

    await().until(() -> !hash(rules).equals(before));
    assertThat(recorded).hasSize(2);
  }

  @Test
  void brokenRulesAreRecordedOnceAndTheOldOnesStay() throws IOException {
    ActiveRules rules = start(DENY);
    RulesStatus before = rules.get();

    write(WRONG);

    await().until(() -> recorded.size() == 2);
    assertThat(recorded.getLast()).isEqualTo(rejection(hash(rules)));
    assertThat(rules.check())
        .isEqualTo(new RulesCheck(file.toString(), List.of(mistake()), List.of()));

    write(WRONG);
    write(FORWARD);

    await().until(() -> !rules.get().equals(before));
    assertThat(recorded).hasSize(3);
  }

  @Test
  void revertedRulesAreNotRecordedAgain() throws IOException {
    ActiveRules rules = start(DENY);
    write(WRONG);
    await().until(() -> recorded.size() == 2);

    write(DENY);
    await().until(() -> rules.check().isFlawless());
    write(FORWARD);
    await().until(() -> recorded.size() == 3);

    assertThat(recorded.getLast()).isEqualTo(activation());
  }

  @Test
  void brokenRulesAtStartStayOutOfForceUntilFixed() throws IOException {
    ActiveRules rules = start(WRONG);

    assertThat(rules.get()).isEqualTo(new RulesStatus.Broken(List.of(mistake())));
    assertThat(recorded).containsExactly(rejection(null));

    write(DENY);

    await().until(() -> rules.get() instanceof RulesStatus.InForce);
    assertThat(recorded).hasSize(2);
  }

  @Test
  void aFileCreatedLaterIsFound() throws IOException {
    ActiveRules rules = start(null);

    assertThat(rules.get()).isInstanceOf(RulesStatus.Broken.class);

    write(DENY);

    await().until(() -> rules.get() instanceof RulesStatus.InForce);
  }

  @Test
  void listenersGetCurrentRulesAndEachActivation() throws IOException {
    ActiveRules rules = start(DENY);
    Rules first = read().rules();
    List<Rules> notified = new CopyOnWriteArrayList<>();
    rules.addListener(_ -> {
      throw new IllegalStateException("a fault of a listener");
    });
    rules.addListener(notified::add);
    await().until(() -> notified.size() == 1);

    write(FORWARD);

    await().until(() -> notified.size() == 2);
    assertThat(notified).containsExactly(first, read().rules());
  }

  private ActiveRules start(@Nullable String text) throws IOException {
    if (text != null) {
      write(text);
    }
    active = ActiveRules.start(rulesFile(), this::record, "4", Duration.ofMillis(5));
    return active;
  }

  /** Replaces the file atomically, as careful editors do. */
  private void write(String text) throws IOException {
    Path beside = Files.writeString(directory.resolve("new"), text);
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private CompletableFuture<Instant> record(Object command) {
    if (recordingLog == null) {
      recordingLog = CapturedLogLines.of(ActiveRules.class.getName()); // of this thread
    }
    recorded.add(command);
    if (!journalWrites) {
      return CompletableFuture.failedFuture(new IOException("the disk is full"));
    }
    return Optional.ofNullable(pending).orElse(CompletableFuture.completedFuture(NOW));
  }

  private RulesFile rulesFile() {
    return RulesFiles.of(Optional.of(file), Map.of());
  }

  private Reading.Valid read() {
    return switch (rulesFile().read()) {
      case Reading.Valid valid -> valid;
      case Reading.Broken broken -> throw new AssertionError(broken.mistakes().toString());
    };
  }

  private ActivateRules activation() {
    return new ActivateRules(read().texts(), "4");
  }

  private RejectRules rejection(@Nullable String activeHash) {
    return switch (rulesFile().read()) {
      case Reading.Broken broken -> new RejectRules(broken.hash(), activeHash, List.of(mistake()));
      case Reading.Valid _ -> throw new AssertionError("these rules are not broken");
    };
  }

  private Mistake mistake() {
    return new Mistake(file.toString(), 3, 33, "'action' must be forward, approve, deny or policy");
  }

  private static String hash(ActiveRules rules) {
    return rules.details().map(RulesDetails::hash).orElse("");
  }
}
