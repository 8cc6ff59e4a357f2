package gatebook.command.rules;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.call.Bytes;
import gatebook.events.call.Principal;
import gatebook.events.fault.Misdirected.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each principal is found by the hash of its token and by its name, and no other one. */
final class PrincipalsTest {
  private static final Principals ISSUED =
      Principals.of(
          List.of(),
          new SignOn(
              List.of(
                  new TokenIssuer(
                      "corp",
                      "https://issuer",
                      Set.of("gate"),
                      Optional.empty(),
                      ClientTlsFiles.NONE,
                      Set.of("ES256"),
                      "sub",
                      "realm.g",
                      Optional.of(
                          new CallerTerms(
                              Set.of("dev"),
                              Set.of(),
                              Map.of("dev", List.of("writer")),
                              Map.of("team", "team"))),
                      Map.of(),
                      Optional.empty()))));

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

  @Test
  void claimsMakeThePrincipalOfAnIssuer() {
    assertThat(signedOn(Map.of("sub", "ada", "team", "blue", "realm", Map.of("g", List.of("dev")))))
        .isEqualTo(
            new Admission.Admitted(
                new Principal("corp:ada", List.of("writer"), Map.of("team", "blue"))));
    assertThat(signedOn(Map.of("sub", "ada", "realm", Map.of("g", List.of("other")))))
        .isEqualTo(new Admission.Refused(Refusal.NOT_PERMITTED));
    assertThat(ISSUED.admission(new Credential.SignedToken("https://other", new Claims(Map.of()))))
        .isEqualTo(new Admission.Refused(Refusal.TOKEN_ISSUER));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", " ada", "a\nb", "a\u202eb", "a\u0000"})
  void aNameThatCannotBeShownIsNone(String subject) {
    assertThat(signedOn(Map.of("sub", subject, "realm", Map.of("g", List.of("dev")))))
        .isEqualTo(new Admission.Refused(Refusal.TOKEN_NO_PRINCIPAL));
  }

  @Test
  void aNameHasALimit() {
    Map<String, Object> groups = Map.of("g", "dev");
    assertThat(signedOn(Map.of("sub", "a".repeat(255), "realm", groups)))
        .isInstanceOf(Admission.Admitted.class);
    assertThat(signedOn(Map.of("sub", "a".repeat(256), "realm", groups)))
        .isEqualTo(new Admission.Refused(Refusal.TOKEN_NO_PRINCIPAL));
    assertThat(signedOn(Map.of("realm", groups)))
        .isEqualTo(new Admission.Refused(Refusal.TOKEN_NO_PRINCIPAL));
  }

  @Test
  void aRecordedPrincipalKeepsWhatItsTokenSaid() {
    Principal recorded = new Principal("corp:ada", List.of("old"), Map.of());

    assertThat(ISSUED.known(recorded)).contains(recorded);
    assertThat(ISSUED.known(new Principal("corporate", List.of(), Map.of()))).isEmpty();
    assertThat(principals.known(new Principal("agent-1", List.of("old"), Map.of())))
        .contains(new Principal("agent-1", List.of("role-1"), Map.of()));
    assertThat(principals.known(recorded)).isEmpty();
    assertThat(principals.known(Principal.ANONYMOUS)).contains(Principal.ANONYMOUS);
  }

  private static Admission signedOn(Map<String, Object> claims) {
    return ISSUED.admission(new Credential.SignedToken("https://issuer", new Claims(claims)));
  }

  private static KnownPrincipal known(int number) {
    byte[] hash = new byte[32];
    hash[31] = (byte) number;
    return new KnownPrincipal(
        Bytes.of(hash), new Principal("agent-" + number, List.of("role-" + number), Map.of()));
  }
}
