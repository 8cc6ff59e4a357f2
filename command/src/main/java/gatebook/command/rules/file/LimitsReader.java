package gatebook.command.rules.file;

import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads the section {@code limits}. Limits that it omits keep their defaults. */
final class LimitsReader {

  private static final String[] KEYS =
      Arrays.stream(Limit.values()).map(Limit::key).toArray(String[]::new);

  private LimitsReader() {}

  static GatewayLimits read(YamlValue yamlValue) {
    Optional<StrictMapping> mapping = yamlValue.keys(KEYS);
    GatewayLimits limits = mapping.map(LimitsReader::limits).orElse(GatewayLimits.DEFAULT);
    mapping.ifPresent(it -> checkParts(it, limits));
    return limits;
  }

  private static GatewayLimits limits(StrictMapping mapping) {
    GatewayLimits limits = GatewayLimits.DEFAULT;
    for (Limit limit : Limit.values()) {
      OptionalLong set =
          mapping
              .get(limit.key())
              .map(it -> it.integer(limit.lowest(), limit.highest()))
              .orElse(OptionalLong.empty());
      limits = limits.with(limit, set.orElse(limit.defaultValue()));
    }
    return limits;
  }

  /** One principal or tree cannot have more than all together. */
  private static void checkParts(StrictMapping mapping, GatewayLimits limits) {
    for (Limit part : Limit.values()) {
      part.whole()
          .filter(whole -> limits.get(part) > limits.get(whole))
          .ifPresent(whole ->
              mapping
                  .get(part.key())
                  .ifPresent(
                      it -> it.mistake("must not be more than '%s'".formatted(whole.key()))));
    }
  }
}
