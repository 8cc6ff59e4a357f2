package gatebook.command.rules;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.call.Bytes;
import gatebook.events.call.Principal;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each principal is found by the hash of its token and by its name, and no other one. */
final class PrincipalsTest {
  private final Principals principals =
      Principals.of(IntStream.range(0, 100).mapToObj(PrincipalsTest::known).toList());

  @Test
  void eachIsFoundByItsTokenAndItsName() {
    for (KnownPrincipal known : principals.all()) {
      assertThat(known.credentials())
          .hasSize(1)
          .allSatisfy(it -> assertThat(principals.with(it)).contains(known.principal()));
      assertThat(principals.named(known.principal().name())).contains(known.principal());
    }
  }

  @Test
  void anotherTokenOrNameFindsNobody() {
    assertThat(known(100).credentials())
        .allSatisfy(it -> assertThat(principals.with(it)).isEmpty());
    assertThat(principals.named("agent-100")).isEmpty();
    assertThat(principals.named("Agent-1")).isEmpty();
  }

  @Test
  void theFirstWithATokenIsFound() {
    KnownPrincipal second =
        new KnownPrincipal(known(1).credentials(), new Principal("other", List.of(), Map.of()));
    assertThat(second.credentials())
        .allSatisfy(it ->
            assertThat(Principals.of(List.of(known(1), second)).with(it))
                .contains(known(1).principal()));
  }

  private static KnownPrincipal known(int number) {
    byte[] hash = new byte[32];
    hash[31] = (byte) number;
    return new KnownPrincipal(
        Bytes.of(hash), new Principal("agent-" + number, List.of("role-" + number), Map.of()));
  }
}
