package gatebook.api.flow.read;

import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;

/**
 * The largest sizes of a task.
 *
 * @param inputsBytesMax of its inputs, in bytes of UTF-8
 * @param definitionBytesMax of the whole task without its dependencies, in bytes of UTF-8
 */
record TaskSizes(int inputsBytesMax, int definitionBytesMax) {
  static TaskSizes of(GatewayLimits gatewayLimits) {
    return new TaskSizes(
        gatewayLimits.getInt(Limit.TREE_INPUTS_BYTES_MAX),
        gatewayLimits.getInt(Limit.TREE_DEFINITION_BYTES_MAX));
  }
}
