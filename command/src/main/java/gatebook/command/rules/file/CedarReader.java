package gatebook.command.rules.file;

import gatebook.command.policy.CedarPolicies;
import gatebook.command.policy.PolicyFile;
import gatebook.command.policy.PolicyReading;
import gatebook.events.RulesActivated.PolicyText;
import gatebook.events.RulesRejected.Mistake;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the section {@code cedar} and the files it names. */
final class CedarReader {

  private final Function<String, FileContent> files;

  CedarReader(Function<String, FileContent> files) {
    this.files = files;
  }

  /** The texts of the files that could be read. */
  record CedarTexts(List<PolicyText> policies, @Nullable PolicyText schema) {
    static final CedarTexts NONE = new CedarTexts(List.of(), null);

    /** Compiles the texts to policies. */
    Compilation compile() {
      if (policies.isEmpty()) {
        return new Compilation(CedarPolicies.NONE, List.of(), List.of());
      }
      return switch (CedarPolicies.compile(
          policies.stream().map(CedarTexts::file).distinct().toList(),
          schema == null ? null : file(schema))) {
        case PolicyReading.Compiled(var compiled, var warnings) ->
            new Compilation(compiled, List.of(), warnings);
        case PolicyReading.Invalid(var mistakes) ->
            new Compilation(CedarPolicies.NONE, mistakes, List.of());
      };
    }

    private static PolicyFile file(PolicyText text) {
      return new PolicyFile(text.file(), text.text());
    }
  }

  /** The compiled policies, with mistakes and warnings. */
  record Compilation(CedarPolicies policies, List<Mistake> mistakes, List<Mistake> warnings) {}

  CedarTexts read(YamlValue yamlValue) {
    return yamlValue.keys("policies", "schema").map(this::read).orElse(CedarTexts.NONE);
  }

  private CedarTexts read(StrictMapping strictMapping) {
    List<PolicyText> policies = new ArrayList<>();
    strictMapping
        .require("policies", "policies: a list of files")
        .ifPresent(it -> policies(it, policies));
    return new CedarTexts(policies, strictMapping.get("schema").flatMap(this::file).orElse(null));
  }

  private void policies(YamlValue yamlValue, List<PolicyText> policies) {
    List<YamlValue> items = yamlValue.items();
    if (yamlValue.isEmptyList()) {
      yamlValue.mistake("must name at least one file of policies");
    }
    Set<String> seen = new HashSet<>();
    for (YamlValue item : items) {
      Optional<PolicyText> file = file(item);
      if (file.isPresent() && !seen.add(file.get().file())) {
        item.mistake("is there twice: keep one");
      }
      file.ifPresent(policies::add);
    }
  }

  private Optional<PolicyText> file(YamlValue yamlValue) {
    return yamlValue.label().flatMap(name -> file(yamlValue, name));
  }

  private Optional<PolicyText> file(YamlValue yamlValue, String name) {
    return switch (files.apply(name)) {
      case FileContent.Text(var text) -> Optional.of(new PolicyText(name, text));
      case FileContent.Unreadable(var sentence) -> {
        yamlValue.mistake("names a file, beside this one, that " + sentence);
        yield Optional.empty();
      }
    };
  }
}
