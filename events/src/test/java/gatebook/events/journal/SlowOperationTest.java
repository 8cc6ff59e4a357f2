package gatebook.events.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import gatebook.events.journal.SlowOperation.Interval;
import java.lang.Thread.State;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

final class SlowOperationTest {
  private static final Duration SOON = Duration.ofMillis(20);
  private static final Duration NEVER = Duration.ofDays(1);

  private final Logger log = (Logger) LoggerFactory.getLogger(SlowOperation.class);
  private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
  private final AtomicInteger calls = new AtomicInteger();

  @BeforeEach
  void listen() {
    logged.start();
    log.addAppender(logged);
    log.setLevel(Level.INFO);
    log.setAdditive(false);
  }

  @AfterEach
  void stopListening() {
    log.detachAppender(logged);
  }

  @Test
  void aShortOperationIsNotLogged() {
    SlowOperation slowOperation = waiting(new Interval(NEVER, SOON), () -> false);
    slowOperation.close();
    awaitEnd(slowOperation);

    assertThat(sentences()).isEmpty();
  }

  @Test
  void theUsualIntervalIsASecondAndThenFive() {
    assertThat(Interval.USUAL)
        .isEqualTo(new Interval(Duration.ofSeconds(1), Duration.ofSeconds(5)));
  }

  @Test
  void aSlowOperationIsLoggedOncePerInterval() {
    SlowOperation slowOperation = waiting(new Interval(SOON, NEVER), () -> false);
    await().until(() -> !sentences().isEmpty());
    await().until(() -> slowOperation.thread().getState() == State.TIMED_WAITING);
    assertThat(sentences()).containsExactly("checking 1 of 9");

    slowOperation.close();
    awaitEnd(slowOperation);
    assertThat(sentences()).containsExactly("checking 1 of 9");
  }

  @Test
  void eachLineHasTheProgressSoFar() {
    try (SlowOperation _ = waiting(new Interval(SOON, SOON), () -> false)) {
      await().until(() -> sentences().size() > 2);
    }

    assertThat(sentences()).startsWith("checking 1 of 9", "checking 2 of 9", "checking 3 of 9");
  }

  @Test
  void nothingIsLoggedAfterTheEnd() {
    SlowOperation slowOperation = waiting(new Interval(SOON, SOON), () -> false);
    await().until(() -> !sentences().isEmpty());
    slowOperation.close();
    int before = sentences().size();
    awaitEnd(slowOperation);

    assertThat(sentences()).hasSize(before);
  }

  @Test
  void anOperationThatEndedItselfIsNotLogged() {
    AtomicBoolean isOver = new AtomicBoolean();
    try (SlowOperation slowOperation = waiting(new Interval(SOON, SOON), isOver::get)) {
      await().until(() -> !sentences().isEmpty());
      isOver.set(true);
      awaitEnd(slowOperation);
    }
  }

  @Test
  void theLineHasTheSubjectAndTheSeconds() {
    Path file = Path.of("/srv/journal");
    try (SlowOperation _ =
        SlowOperation.start(
            () -> log.atInfo().addKeyValue("file", file),
            () -> "opening",
            () -> false,
            new Interval(SOON, NEVER))) {
      await().until(() -> !sentences().isEmpty());
    }

    ILoggingEvent line = List.copyOf(logged.list).getFirst();
    assertThat(line.getLevel()).isEqualTo(Level.INFO);
    assertThat(line.getKeyValuePairs())
        .containsExactly(new KeyValuePair("file", file), new KeyValuePair("seconds", 0L));
  }

  private static void awaitEnd(SlowOperation slowOperation) {
    await().until(() -> !slowOperation.thread().isAlive());
  }

  private SlowOperation waiting(Interval interval, BooleanSupplier isOver) {
    return SlowOperation.start(
        log::atInfo, () -> "checking %d of 9".formatted(calls.incrementAndGet()), isOver, interval);
  }

  private List<String> sentences() {
    return List.copyOf(logged.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}
