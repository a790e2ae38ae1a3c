// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>

#include <utility>

namespace sonde::cuda {

/// A pattern without its `complete()`: the host does not wait inside the sample, and marks the end right behind the
/// last iteration.
///
/// For the event clock, whose marks are in the stream, too, and are waited for when the sample is over: samples do not
/// overlap. By a clock of the host it would be the time of launching. That wait knows nothing of what the pattern
/// would have watched: where a collective of NCCL fails, it waits for ever, and `nccl::error` is not thrown. Where a
/// failure must come out, leave completion in.
template <Pattern P>
class uncompleted : public iteration_adaptor<uncompleted<P>, P> {
public:
    explicit uncompleted(P pattern) : iteration_adaptor<uncompleted<P>, P>{std::move(pattern)} {}
    void complete() = delete;
};

} // namespace sonde::cuda
