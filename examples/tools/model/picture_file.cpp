// SPDX-License-Identifier: BSL-1.0
#include "picture.hpp"

#include <sonde/report/canvas.hpp>
#include <sonde/report/figure_page.hpp>

#include <stdexcept>

namespace tools::model {

void check_target(std::string const& target) {
    for (auto const* const end : {".svg", ".png", ".pdf"})
        if (target.ends_with(end)) return;
    if (target != "-") throw std::runtime_error{"--plot '" + target + "' ends with none of .svg, .png, .pdf"};
}

void draw(sonde::figure const& what, std::string const& target) {
    auto const page = sonde::figure_page(what);
    if (target == "-") sonde::draw(sonde::canvas::tty(), page);
    else if (target.ends_with(".svg")) sonde::draw(sonde::canvas::svg(target), page);
    else if (target.ends_with(".png")) sonde::draw(sonde::canvas::png(target), page);
    else sonde::draw(sonde::canvas::pdf(target), page);
}

} // namespace tools::model
