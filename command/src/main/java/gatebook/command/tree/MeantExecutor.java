package gatebook.command.tree;

import gatebook.command.rules.Source;
import java.util.List;

/** What the name of an executor means. */
public sealed interface MeantExecutor {

  /**
   * A tool that callers see.
   *
   * @param name by which callers call it: with the prefix of its source
   */
  record Tool(String name, Source source) implements MeantExecutor {}

  /** Tools of several sources, by the names with their prefixes. */
  record Ambiguous(List<String> tools) implements MeantExecutor {
    public Ambiguous {
      tools = List.copyOf(tools);
    }
  }

  /** No tool that callers see. */
  record None() implements MeantExecutor {}
}
