package gatebook.api.gateway;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that a test sets. */
public final class SettableClock extends Clock {

  static final Instant NOON = Instant.parse("2026-10-01T12:00:00Z");

  private volatile Instant now = NOON;

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return Clock.fixed(now, zone);
  }

  public void set(Instant newNow) {
    now = newNow;
  }

  public void pass(Duration time) {
    now = now.plus(time);
  }
}
