#include "support/exit_status.hpp"

#include <new>

#include "tendril/core/error.hpp"

namespace tendril::app {

exit_status report_failure(const std::exception_ptr& failure, std::ostream& out) {
  const auto say = [&out](const char* text, exit_status status) {
    out << "tendril: " << text << '\n';
    return status;
  };
  try {
    std::rethrow_exception(failure);
  } catch (const usage_error& e) {
    return say(e.what(), exit_status::usage);
  } catch (const input_error& e) {
    return say(e.what(), exit_status::bad_input);
  } catch (const std::bad_alloc&) {
    return say("out of memory", exit_status::no_resource);
  } catch (const std::exception& e) {  // resource_error, cuda_error, the operating system's own
    return say(e.what(), exit_status::no_resource);
  }
}

}  // namespace tendril::app
