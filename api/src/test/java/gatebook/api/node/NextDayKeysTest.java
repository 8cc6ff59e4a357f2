package gatebook.api.node;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.keys.store.FileKeyStore;
import gatebook.events.keys.store.KeySelection;
import gatebook.events.keys.store.RecordedKeys;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys of the next day, by a clock of its own. */
final class NextDayKeysTest {
  private static final LocalDate DAY = LocalDate.parse("2026-03-04");
  private static final LocalDate NEXT_DAY = DAY.plusDays(1);
  private static final Instant BEGIN = Instant.parse("2026-03-04T22:00:00Z");

  private Instant now = BEGIN;
  private GatewayLimits limits = GatewayLimits.DEFAULT;
  private ContentKeyStore contentKeys;

  @BeforeEach
  void open(@TempDir Path folder) {
    ContentKeyStore.Opening opening =
        FileKeyStore.open(folder.resolve("keys"), Optional.empty(), RecordedKeys.none());
    contentKeys = ((ContentKeyStore.Opening.Opened) opening).store();
  }

  @AfterEach
  void close() {
    contentKeys.close();
  }

  @Test
  void afterMidnightNobodyOfTheDayBeforeWaits() {
    owners(DAY, 240).forEach(contentKeys::current);
    makeSharesUntil(BEGIN.plusSeconds(3_600));
    owners(DAY, 242).forEach(contentKeys::current);
    makeSharesUntil(BEGIN.plusSeconds(7_199));

    assertThat(owners(NEXT_DAY, 242)).allMatch(contentKeys::isReady);
    assertThat(made()).isEqualTo(242);
  }

  @Test
  void keysAreSpreadOverTheTimeBeforeMidnight() {
    owners(DAY, 240).forEach(contentKeys::current);

    now = BEGIN.minusSeconds(1);
    nextDayKeys().makeShare();
    assertThat(made()).isZero();

    now = BEGIN;
    nextDayKeys().makeShare();
    assertThat(made()).isEqualTo(2);

    makeSharesUntil(BEGIN.plusSeconds(3_600));
    assertThat(made()).isBetween(110, 130);
  }

  @Test
  void thereAreNoMoreThanTheLimit() {
    owners(DAY, 5).forEach(contentKeys::current);
    limits = limits.with(Limit.CONTENT_KEYS_AHEAD_MAX, 4);
    makeSharesUntil(BEGIN.plusSeconds(7_199));
    assertThat(made()).isEqualTo(4);

    limits = limits.with(Limit.CONTENT_KEYS_AHEAD_MAX, 5);
    now = BEGIN.plusSeconds(7_199);
    nextDayKeys().makeShare();
    assertThat(made()).isEqualTo(5);
  }

  @Test
  void whoWasForgottenGetsNoKey() {
    owners(DAY, 2).forEach(contentKeys::current);
    contentKeys.erase(List.of(contentKeys.current(new ContentOwner("p0", DAY)).id()), 1);

    makeSharesUntil(BEGIN.plusSeconds(7_199));

    assertThat(contentKeys.list(new KeySelection(null, NEXT_DAY, NEXT_DAY)))
        .singleElement()
        .satisfies(key -> assertThat(key.owner().principal()).isEqualTo("p1"));
  }

  private static List<ContentOwner> owners(LocalDate day, int count) {
    return IntStream.range(0, count).mapToObj(i -> new ContentOwner("p" + i, day)).toList();
  }

  private int made() {
    return contentKeys.dueKeys(NEXT_DAY).made();
  }

  private void makeSharesUntil(Instant end) {
    for (; now.isBefore(end); now = now.plus(NextDayKeys.PAUSE)) {
      nextDayKeys().makeShare();
    }
  }

  private NextDayKeys nextDayKeys() {
    return new NextDayKeys(contentKeys, () -> limits, () -> now);
  }
}
