// SPDX-License-Identifier: BSL-1.0
// Other libraries' headers that those of fits include, parsed once. Included by the compiler, once (and so without a
// guard).

#include <Eigen/Core>
#include <Eigen/LU>
#include <Eigen/SVD>

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/binomial.hpp>
