package gatebook.command.tree;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.GivenSources;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.call.Exposure;
import gatebook.events.fault.TaskFault.ExecutorNotFound;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the names of executors mean, by what the sources expose and list. */
final class ExecutorNamesTest {
  private static final Rules RULES =
      GivenSources.rules(
          List.of(
              GivenSources.source("plain", "", expose(Exposure.BLOCKLIST, "secret*")),
              GivenSources.source("a", "a_", expose(Exposure.ALLOWLIST, "pay", "ask")),
              GivenSources.source("b", "b_", expose(Exposure.BLOCKLIST, "drop")),
              GivenSources.source("c", "c_", ExposeRules.ALL)));

  private static final ListedTools LISTED =
      new ListedTools(
          Map.of(
              "plain", Set.of("echo", "secret_echo"),
              "a", Set.of("pay", "ask", "close"),
              "b", Set.of("ask", "lend", "close", "drop"),
              "c", Set.of("read", "drop", "secret_echo")));

  private static ExposeRules expose(Exposure exposure, String... patterns) {
    return GivenSources.expose(exposure, patterns);
  }

  @ParameterizedTest
  @CsvSource({
    "echo, echo",
    "a_pay, a_pay",
    "pay, a_pay",
    "lend, b_lend",
    "read, c_read",
    "b_ask, b_ask",
  })
  void nameMeansTheToolOfTheOneSourceThatListsIt(String name, String tool) {
    assertThat(ExecutorNames.meant(name, RULES, LISTED))
        .isInstanceOfSatisfying(
            MeantExecutor.Tool.class, meant -> assertThat(meant.name()).isEqualTo(tool));
  }

  @ParameterizedTest
  @CsvSource({"nothing", "a_read", "b_pay", "c_nothing", "a_close", "b_drop", "secret_other"})
  void nameThatIsNotListedOrHiddenMeansNothing(String name) {
    assertThat(ExecutorNames.meant(name, RULES, LISTED)).isEqualTo(new MeantExecutor.None());
  }

  @ParameterizedTest
  @CsvSource({"secret_echo", "drop", "close"})
  void nameHiddenAtOneSourceNeverGoesToAnother(String name) {
    assertThat(ExecutorNames.meant(name, RULES, LISTED)).isEqualTo(new MeantExecutor.None());
  }

  @Test
  void nameThatTwoSourcesListIsAmbiguous() {
    assertThat(ExecutorNames.faults(List.of("ask", "nothing", "echo"), RULES, LISTED))
        .containsExactly(
            new ExecutorNotFound("ask", List.of("a_ask", "b_ask")),
            new ExecutorNotFound("nothing", null));
  }

  @ParameterizedTest
  @CsvSource({"a_pay, a_pay", "c_any, c_any", "any, any", "a_any, ''", "secret_echo, ''"})
  void exposedNameIsAcceptedWhereNoListIsKnown(String name, String tool) {
    assertThat(tool(ExecutorNames.meant(name, RULES, ListedTools.NONE)))
        .isEqualTo(Optional.of(tool).filter(it -> !it.isEmpty()));
  }

  @Test
  void listedToolComesBeforeOneThatMayBeThere() {
    ListedTools without = new ListedTools(Map.of("plain", Set.of(), "b", Set.of("lend")));

    assertThat(tool(ExecutorNames.meant("lend", RULES, without))).contains("b_lend");
    assertThat(tool(ExecutorNames.meant("any", RULES, without))).contains("c_any");
    assertThat(ExecutorNames.meant("pay", RULES, without))
        .isEqualTo(new MeantExecutor.Ambiguous(List.of("a_pay", "c_pay")));
  }

  @Test
  void onlyTheToolsThatExecutorsMayMeanAreKept() {
    Source source = GivenSources.source("a", "a_", ExposeRules.ALL);

    assertThat(ListedTools.of(source, List.of("pay", "ask", "close"), List.of("a_pay", "ask")))
        .isEqualTo(new ListedTools(Map.of("a", Set.of("pay", "ask"))));
  }

  private static Optional<String> tool(MeantExecutor meant) {
    return meant instanceof MeantExecutor.Tool(var name, _) ? Optional.of(name) : Optional.empty();
  }
}
