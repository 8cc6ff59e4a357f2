package gatebook.api.operator.signin;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.SettableClock;
import gatebook.api.operator.signin.PendingSignOns.Begun;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import java.net.URI;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class PendingSignOnsTest {
  private static final URI REDIRECT = URI.create("https://gate.example/console/sign-on/a/callback");
  private static final GatewayLimits LIMITS =
      GatewayLimits.DEFAULT
          .with(Limit.CONSOLE_SIGN_ON_SECONDS_MAX, 60)
          .with(Limit.CONSOLE_SIGN_ONS_MAX, 2);

  private final SettableClock clock = new SettableClock();
  private final PendingSignOns pending = new PendingSignOns(() -> LIMITS, clock);

  @Test
  void aSignOnComesBackOnce() {
    Begun begun = pending.begin("company", REDIRECT);

    assertThat(pending.take(begun.state(), begun.browserKey())).contains(begun.attempt());
    assertThat(begun.attempt().redirect()).isEqualTo(REDIRECT);
    assertThat(pending.take(begun.state(), begun.browserKey())).isEmpty();
  }

  @Test
  void anotherBrowserNeitherTakesNorEndsIt() {
    Begun begun = pending.begin("company", REDIRECT);
    Begun other = pending.begin("company", REDIRECT);

    assertThat(pending.take(begun.state(), other.browserKey())).isEmpty();
    assertThat(pending.take(begun.state(), "")).isEmpty();
    assertThat(pending.take(begun.state(), begun.browserKey())).isPresent();
  }

  @Test
  void anUnknownStateIsOfNoSignOn() {
    Begun begun = pending.begin("company", REDIRECT);

    assertThat(pending.take(begun.state() + "x", begun.browserKey())).isEmpty();
    assertThat(pending.take("", begun.browserKey())).isEmpty();
  }

  @Test
  void aSignOnExpires() {
    Begun one = pending.begin("company", REDIRECT);
    Begun other = pending.begin("company", REDIRECT);

    clock.pass(Duration.ofSeconds(60).minusNanos(1));
    assertThat(pending.take(one.state(), one.browserKey())).isPresent();
    clock.pass(Duration.ofNanos(1));
    assertThat(pending.take(other.state(), other.browserKey())).isEmpty();
  }

  @Test
  void theOldestIsDroppedWhenThereAreTooMany() {
    Begun first = pending.begin("company", REDIRECT);
    Begun second = pending.begin("company", REDIRECT);
    Begun third = pending.begin("company", REDIRECT);

    assertThat(pending.take(first.state(), first.browserKey())).isEmpty();
    assertThat(pending.take(second.state(), second.browserKey())).isPresent();
    assertThat(pending.take(third.state(), third.browserKey())).isPresent();
  }

  @Test
  void nothingSecretIsUsedTwice() {
    Begun one = pending.begin("company", REDIRECT);
    Begun other = pending.begin("company", REDIRECT);

    assertThat(
            Stream.of(one, other)
                .flatMap(it ->
                    Stream.of(
                        it.state(),
                        it.browserKey(),
                        it.attempt().nonce(),
                        it.attempt().verifier())))
        .doesNotHaveDuplicates()
        .allMatch(key -> key.matches("[A-Za-z0-9_-]{43}"));
  }
}
