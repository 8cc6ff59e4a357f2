package gatebook.api.operator.signin;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.SettableClock;
import gatebook.api.operator.signin.SignInCodes.SignInCode;
import gatebook.command.rules.Credential;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.call.Bytes;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class SignInCodesTest {
  private static final Credential ANN = new Credential.Token(Bytes.of(new byte[] {1}));
  private static final Credential BEN = new Credential.Token(Bytes.of(new byte[] {2}));
  private static final GatewayLimits LIMITS =
      GatewayLimits.DEFAULT.with(Limit.CONSOLE_LINK_SECONDS_MAX, 60);

  private final SettableClock clock = new SettableClock();
  private final SignInCodes codes = new SignInCodes(() -> LIMITS, clock);

  @Test
  void aCodeWorksOnce() {
    SignInCode ann = codes.issue(ANN);
    SignInCode ben = codes.issue(BEN);

    assertThat(ann.code()).matches("[A-Za-z0-9_-]{43}").isNotEqualTo(ben.code());
    assertThat(codes.redeem(ann.code())).contains(ANN);
    assertThat(codes.redeem(ann.code())).isEmpty();
    assertThat(codes.redeem(ben.code())).contains(BEN);
  }

  @Test
  void aCodeWorksForAMinute() {
    SignInCode one = codes.issue(ANN);
    SignInCode other = codes.issue(ANN);
    assertThat(one.expiresAt()).isEqualTo(clock.instant().plusSeconds(60));

    clock.pass(Duration.ofMinutes(1).minusNanos(1));
    assertThat(codes.redeem(one.code())).contains(ANN);
    clock.pass(Duration.ofNanos(1));
    assertThat(codes.redeem(other.code())).isEmpty();
  }

  @Test
  void anExpiredCodeIsUsedUp() {
    SignInCode code = codes.issue(ANN);
    clock.pass(Duration.ofMinutes(1));
    assertThat(codes.redeem(code.code())).isEmpty();

    clock.pass(Duration.ofMinutes(-1));
    assertThat(codes.redeem(code.code())).isEmpty();
  }

  @Test
  void theOldestCodeIsDroppedWhenTooManyWait() {
    SignInCode first = codes.issue(ANN);
    SignInCode second = codes.issue(BEN);
    for (int i = 2; i < SignInCodes.WAITING_MAX; i++) {
      var _ = codes.issue(ANN);
    }
    var _ = codes.issue(ANN);

    assertThat(codes.redeem(first.code())).isEmpty();
    assertThat(codes.redeem(second.code())).contains(BEN);
  }
}
