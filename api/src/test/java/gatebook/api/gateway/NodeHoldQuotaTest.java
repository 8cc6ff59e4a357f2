package gatebook.api.gateway;

import static gatebook.command.call.HoldQuota.Seating.FULL;
import static gatebook.command.call.HoldQuota.Seating.PRINCIPAL_FULL;
import static gatebook.command.call.HoldQuota.Seating.TAKEN;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.call.HoldQuota.Seating;
import gatebook.command.rules.GatewayLimits;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class NodeHoldQuotaTest {

  private static final GatewayLimits LIMITS = Given.limits(2, 3);

  private final NodeHoldQuota seats = new NodeHoldQuota();

  @Test
  void aPrincipalTakesAsManySeatsAsMayAndNoMore() {
    assertThat(take(1, "ada")).isEqualTo(TAKEN);
    assertThat(take(2, "ada")).isEqualTo(TAKEN);
    assertThat(take(3, "ada")).isEqualTo(PRINCIPAL_FULL);
    assertThat(take(4, "eve")).isEqualTo(TAKEN);
    assertThat(seats.count()).isEqualTo(3);
  }

  @Test
  void whenEverySeatIsTakenNobodyGetsOne() {
    take(1, "ada");
    take(2, "ada");
    take(3, "eve");

    assertThat(take(4, "eve")).isEqualTo(FULL);
    assertThat(take(5, "ada")).isEqualTo(FULL);
    assertThat(seats.count()).isEqualTo(3);
  }

  @Test
  void aSeatGivenBackIsFreeForThePrincipalAndForAll() {
    take(1, "ada");
    take(2, "ada");
    take(3, "eve");

    seats.leave(call(1));

    assertThat(take(4, "ada")).isEqualTo(TAKEN);
    assertThat(take(5, "ada")).isEqualTo(FULL);
  }

  @Test
  void aSeatIsGivenBackOnce() {
    take(1, "ada");
    take(2, "ada");

    seats.leave(call(1));
    seats.leave(call(1));
    seats.leave(call(9));

    assertThat(seats.count()).isEqualTo(1);
    assertThat(take(3, "ada")).isEqualTo(TAKEN);
    assertThat(take(4, "ada")).isEqualTo(PRINCIPAL_FULL);
  }

  private Seating take(int call, String principal) {
    return seats.take(call(call), principal, LIMITS);
  }

  private static UUID call(int number) {
    return new UUID(0, number);
  }
}
