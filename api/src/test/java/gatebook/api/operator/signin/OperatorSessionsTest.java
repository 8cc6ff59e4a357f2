package gatebook.api.operator.signin;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.SettableClock;
import gatebook.command.rules.Credential;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.call.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class OperatorSessionsTest {
  private static final Credential ANN = new Credential.Token(Bytes.of(new byte[] {1}));
  private static final Credential BEN = new Credential.Token(Bytes.of(new byte[] {2}));
  private static final GatewayLimits LIMITS =
      GatewayLimits.DEFAULT
          .with(Limit.CONSOLE_SESSION_IDLE_MINUTES_MAX, 10)
          .with(Limit.CONSOLE_SESSION_MINUTES_MAX, 25)
          .with(Limit.CONSOLE_SESSIONS_MAX, 3);

  private final SettableClock clock = new SettableClock();
  private final OperatorSessions sessions = new OperatorSessions(() -> LIMITS, clock);

  @Test
  void aSessionIsFoundByItsKeyOnly() {
    String ann = sessions.open(ANN);
    String ben = sessions.open(BEN);

    assertThat(sessions.use(ann)).contains(ANN);
    assertThat(sessions.use(ben)).contains(BEN);
    assertThat(sessions.use(ann + "x")).isEmpty();
    assertThat(sessions.use("")).isEmpty();
  }

  @Test
  void keysHave256RandomBits() {
    List<String> keys = IntStream.range(0, 100).mapToObj(_ -> sessions.open(ANN)).toList();

    assertThat(keys).doesNotHaveDuplicates().allMatch(key -> key.matches("[A-Za-z0-9_-]{43}"));
  }

  @Test
  void aSessionEndsAfterTheIdleLimit() {
    String key = sessions.open(ANN);

    clock.pass(Duration.ofMinutes(10).minusNanos(1));
    assertThat(sessions.use(key)).contains(ANN);
    clock.pass(Duration.ofMinutes(10));
    assertThat(sessions.use(key)).isEmpty();
  }

  @Test
  void aSessionInUseEndsAfterTheAbsoluteLimit() {
    String key = sessions.open(ANN);

    clock.pass(Duration.ofMinutes(9));
    assertThat(sessions.use(key)).contains(ANN);
    clock.pass(Duration.ofMinutes(9));
    assertThat(sessions.use(key)).contains(ANN);
    clock.pass(Duration.ofMinutes(7).minusNanos(1));
    assertThat(sessions.use(key)).contains(ANN);
    clock.pass(Duration.ofNanos(1));
    assertThat(sessions.use(key)).isEmpty();
  }

  @Test
  void findingASessionDoesNotUseIt() {
    String key = sessions.open(ANN);

    clock.pass(Duration.ofMinutes(10).minusNanos(1));
    assertThat(sessions.find(key)).contains(ANN);
    clock.pass(Duration.ofNanos(1));
    assertThat(sessions.find(key)).isEmpty();
    assertThat(sessions.use(key)).isEmpty();
  }

  @Test
  void anEndedSessionIsNotFound() {
    String ann = sessions.open(ANN);
    String other = sessions.open(ANN);

    sessions.end(ann);

    assertThat(sessions.use(ann)).isEmpty();
    assertThat(sessions.use(other)).contains(ANN);
  }

  @Test
  void theOldestSessionEndsWhenThereAreTooMany() {
    String first = sessions.open(ANN);
    String second = sessions.open(ANN);
    String third = sessions.open(ANN);
    assertThat(sessions.use(first)).contains(ANN); // use does not make it younger

    String fourth = sessions.open(BEN);

    assertThat(sessions.use(first)).isEmpty();
    assertThat(sessions.use(second)).contains(ANN);
    assertThat(sessions.use(third)).contains(ANN);
    assertThat(sessions.use(fourth)).contains(BEN);
  }

  @Test
  void idleSessionsMakeRoomBeforeOlderOnes() {
    String used = sessions.open(ANN);
    var _ = sessions.open(ANN);
    var _ = sessions.open(ANN);
    clock.pass(Duration.ofMinutes(9));
    assertThat(sessions.use(used)).contains(ANN);
    clock.pass(Duration.ofMinutes(1));

    String other = sessions.open(BEN);

    assertThat(sessions.use(used)).contains(ANN);
    assertThat(sessions.use(other)).contains(BEN);
  }
}
