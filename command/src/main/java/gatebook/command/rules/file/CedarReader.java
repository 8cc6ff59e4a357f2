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

/** Reads {@code cedar} and the files it names. */
final class CedarReader {

  private final Function<String, FileContent> files;

  CedarReader(Function<String, FileContent> files) {
    this.files = files;
  }

  /** The texts of the files that could be read. */
  record Found(List<PolicyText> policies, @Nullable PolicyText schema) {
    static final Found NOTHING = new Found(List.of(), null);

    /** The one place where policies are made of texts. */
    Compiled compile() {
      if (policies.isEmpty()) {
        return new Compiled(CedarPolicies.NONE, List.of(), List.of());
      }
      return switch (CedarPolicies.compile(
          policies.stream().map(Found::file).distinct().toList(),
          schema == null ? null : file(schema))) {
        case PolicyReading.Compiled(var compiled, var warnings) ->
            new Compiled(compiled, List.of(), warnings);
        case PolicyReading.Wrong(var mistakes) ->
            new Compiled(CedarPolicies.NONE, mistakes, List.of());
      };
    }

    private static PolicyFile file(PolicyText text) {
      return new PolicyFile(text.file(), text.text());
    }
  }

  /** Policies, and what is wrong with them or probably not meant. */
  record Compiled(CedarPolicies policies, List<Mistake> mistakes, List<Mistake> warnings) {}

  Found read(YamlValue yamlValue) {
    return yamlValue.keys("policies", "schema").map(this::read).orElse(Found.NOTHING);
  }

  private Found read(StrictMapping strictMapping) {
    List<PolicyText> policies = new ArrayList<>();
    strictMapping
        .require("policies", "policies: a list of files")
        .ifPresent(it -> policies(it, policies));
    return new Found(policies, strictMapping.get("schema").flatMap(this::file).orElse(null));
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
