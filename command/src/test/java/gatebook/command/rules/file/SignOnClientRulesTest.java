package gatebook.command.rules.file;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.rules.SignOnClient;
import gatebook.command.rules.SignOnClient.Secret;
import gatebook.command.rules.file.RulesFile.Reading;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The client at which operators sign in to the console, in the rules. */
final class SignOnClientRulesTest {

  @Test
  void aPublicClientAsksForTheIdTokenOnly() {
    assertThat(read("{client_id: gatebook}"))
        .contains(new SignOnClient("gatebook", Optional.empty(), List.of("openid")));
    assertThat(read("{client_id: gatebook, client_secret_file: /etc/secret, scopes: [openid, g]}"))
        .contains(
            new SignOnClient(
                "gatebook",
                Optional.of(new Secret.Stored(Path.of("/etc/secret"))),
                List.of("openid", "g")));
  }

  @Test
  void theSecretOfTheClientIsMasked() {
    Reading.Valid valid = rules("{client_id: gatebook, client_secret: \"${SECRET}\"}").valid();

    assertThat(console(valid))
        .contains(
            new SignOnClient(
                "gatebook", Optional.of(new Secret.Text("hunter2")), List.of("openid")));
    assertThat(valid.rules().toString()).doesNotContain("hunter2");
    assertThat(valid.texts().rules())
        .contains("client_secret: \"[REDACTED]\"")
        .doesNotContain("hunter2");
  }

  private static Optional<SignOnClient> read(String console) {
    return console(rules(console).valid());
  }

  private static Optional<SignOnClient> console(Reading.Valid valid) {
    return valid.rules().principals().signOn().issuers().getFirst().console();
  }

  private static GivenRules rules(String console) {
    return GivenRules.rules(
            GivenRules.MINIMAL
                + """
                sign_on:
                  - name: corp
                    issuer: https://login.example
                    audience: gatebook
                    operators: {admins: [view]}
                    console: %s
                """
                    .formatted(console))
        .variable("SECRET", "hunter2");
  }
}
