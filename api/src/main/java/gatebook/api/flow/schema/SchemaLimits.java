package gatebook.api.flow.schema;

import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;

/**
 * The limits of JSON Schemas and of checking with them.
 *
 * @param bytesMax the largest schema, in bytes of UTF-8
 * @param depthMax how deep its objects and arrays may be nested
 * @param stepsMax how many steps the checks of one request, or of one task that runs, may take
 */
public record SchemaLimits(int bytesMax, int depthMax, long stepsMax) {
  public static SchemaLimits of(GatewayLimits limits) {
    return new SchemaLimits(
        limits.getInt(Limit.SCHEMA_BYTES_MAX),
        limits.getInt(Limit.SCHEMA_DEPTH_MAX),
        limits.get(Limit.SCHEMA_STEPS_MAX));
  }
}
