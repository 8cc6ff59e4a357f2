package gatebook.api.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.CallerIdentities.Identity;
import gatebook.api.gateway.message.Caller;
import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.TokenVerdict;
import gatebook.command.rules.Credential;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.KnownPrincipal;
import gatebook.command.rules.Rules;
import gatebook.events.call.Principal;
import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.fault.Misdirected.Unauthorized;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CallerIdentitiesTest {

  private static final Rules RULES =
      RulesFixture.rules(
          GatewayLimits.DEFAULT,
          RulesFixture.principal("eve", "other"),
          RulesFixture.principal("ada", "letmein"));
  private static final Identity ADA =
      new Identity.Known(new Principal("ada", List.of("dev"), Map.of()), true);
  private static final Identity STRANGER =
      new Identity.Unknown(new Unauthorized(Refusal.TOKEN_UNKNOWN));

  @Test
  void localCallerWithoutTokenIsAnonymous() {
    assertThat(identity(true))
        .isEqualTo(new Identity.Known(new Principal("anonymous", List.of(), Map.of()), false));
  }

  @Test
  void remoteCallerWithoutTokenIsRefused() {
    assertThat(identity(false))
        .isEqualTo(new Identity.Unknown(new Unauthorized(Refusal.TOKEN_MISSING)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Bearer letmein", "bearer letmein", "BEARER letmein", "Bearer   letmein "})
  void schemeOfATokenIsCaseInsensitive(String authorization) {
    assertThat(identity(false, authorization)).isEqualTo(ADA);
    assertThat(identity(true, authorization)).isEqualTo(ADA);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Bearer",
        "Bearer ",
        "Bearer LETMEIN",
        "Bearer letmei",
        "Bearer letmeinn",
        "Bearer letmein other",
        "Bearer\tletmein",
        "Basic letmein",
        "letmein",
        " Bearer letmein"
      })
  void unknownTokenIsRefusedAlsoOnThisMachine(String authorization) {
    assertThat(identity(true, authorization)).isEqualTo(STRANGER);
  }

  @Test
  void twoTokensAreRefused() {
    assertThat(identity(true, "Bearer letmein", "Bearer letmein")).isEqualTo(STRANGER);
    assertThat(identity(true, "Bearer letmein", "Bearer other")).isEqualTo(STRANGER);
  }

  @Test
  void withoutPrincipalsEveryTokenIsUnknown() {
    assertThat(
            CallerIdentities.of(
                new Caller(List.of("Bearer letmein"), true, CallerConnection.UNOBSERVED),
                RulesFixture.rules(GatewayLimits.DEFAULT)))
        .isEqualTo(STRANGER);
  }

  @Test
  void aCertificateNamesAPrincipalUnlessATokenIsSent() {
    Credential.Certificate name = new Credential.Certificate("dns:agent.example");
    Principal principal = new Principal("agent", List.of(), Map.of());
    Rules rules =
        RulesFixture.rules(GatewayLimits.DEFAULT, new KnownPrincipal(Set.of(name), principal));

    assertThat(CallerIdentities.of(certified(List.of(), name), rules))
        .isEqualTo(new Identity.Known(principal, true));
    assertThat(CallerIdentities.of(certified(List.of("Bearer wrong"), name), rules))
        .isEqualTo(STRANGER);
    assertThat(
            CallerIdentities.of(
                certified(List.of(), new Credential.Certificate("dns:other.example")), rules))
        .isInstanceOf(Identity.Unknown.class);
  }

  private static Caller certified(List<String> authorization, Credential.Certificate name) {
    return new Caller(
        authorization,
        TokenVerdict.OPAQUE,
        List.of(name),
        false,
        CallerConnection.UNOBSERVED,
        null);
  }

  private static Identity identity(boolean local, String... authorization) {
    return CallerIdentities.of(
        new Caller(List.of(authorization), local, CallerConnection.UNOBSERVED), RULES);
  }
}
