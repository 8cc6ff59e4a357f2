package gatebook.api.node.secret;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TextSearchTest {

  private final TextSearch search =
      new TextSearch(List.of("Secret-One-1", "secret-on", "0123456789"));

  @Test
  void findsTextsAnywhereInAnyCase() {
    assertThat(search.foundIn("01234567 89 0123456789SECRET-ONE-1"))
        .containsExactly("0123456789", "secret-on", "secret-one-1");
  }

  @Test
  void findsNothingInTextsThatOnlyBeginAlike() {
    assertThat(search.foundIn("secret-o, 012345678")).isEmpty();
    assertThat(search.foundIn("secret-on")).containsExactly("secret-on");
    assertThat(search.foundIn("")).isEmpty();
  }
}
