package gatebook.api.signon;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;

final class SignOnAttemptTest {

  /** The example of RFC 7636, appendix B. */
  @Test
  void theChallengeIsTheHashOfTheVerifier() {
    assertThat(
            new SignOnAttempt(
                    "corp",
                    URI.create("https://gate.example/callback"),
                    "n",
                    "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
                .challenge())
        .isEqualTo("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
  }
}
