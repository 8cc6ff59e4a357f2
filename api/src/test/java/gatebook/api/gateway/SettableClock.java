package gatebook.api.gateway;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that a test sets. */
final class SettableClock implements InstantSource {

  static final Instant NOON = Instant.parse("2026-10-01T12:00:00Z");

  private volatile Instant now = NOON;

  @Override
  public Instant instant() {
    return now;
  }

  void set(Instant newNow) {
    now = newNow;
  }

  void pass(Duration time) {
    now = now.plus(time);
  }
}
